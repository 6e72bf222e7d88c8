"""Results: what they mean, and replacements that a client does not drop."""

import json

import pytest
from hypothesis import given

from interlock.facts.results import Misfit, fit, meaning, text_of_result, withhold
from tests.hosts.goldens import EVENT_FILES
from tests.test_event import JSON

SHELL = {"stdout": "key=1", "stderr": "", "interrupted": False, "isImage": False}
TEXT_FILE = {
    "type": "text",
    "file": {"filePath": "/a", "content": "key=1\n", "numLines": 2, "startLine": 1, "totalLines": 2},
}
RESULTS = {
    file.stem.removeprefix("PostToolUse."): json.loads(file.read_bytes())
    for file in EVENT_FILES
    if file.stem.startswith("PostToolUse.")
}


def test_an_mcp_result_means_its_json_or_its_text():
    blocks = [{"type": "text", "text": '{"tenure": "vip"}'}]
    assert meaning("mcp__crm__get", blocks) == {"tenure": "vip"}
    assert meaning("mcp__crm__get", '{"tenure": "vip"}') == {"tenure": "vip"}
    assert meaning("mcp__crm__get", [{"type": "text", "text": "hi"}, {"type": "text", "text": "you"}]) == "hi\nyou"
    assert meaning("mcp__crm__get", [{"type": "text", "text": "{broken"}]) == "{broken"


def test_json_that_hides_text_behind_a_repeated_key_means_its_text():
    text = '{"note": "secret", "note": "ok"}'
    assert meaning("mcp__crm__get", [{"type": "text", "text": text}]) == text


def test_an_mcp_result_that_is_not_only_text_means_itself():
    blocks = [{"type": "image", "source": {}}, {"type": "text", "text": "{}"}]
    assert meaning("mcp__crm__get", blocks) == blocks
    assert meaning("mcp__crm__get", []) == []


def test_a_built_in_tools_result_means_itself():
    assert meaning("Bash", SHELL) is SHELL


@pytest.mark.parametrize(
    ("tool", "meant"),
    [
        ("Bash", {"stdout": "key=1", "stderr": ""}),
        ("PowerShell", {"stdout": "key=1", "stderr": ""}),
        ("Read", {"type": "text", "file": {"content": "key=1"}}),
        ("Grep", {"content": "key=1"}),
        ("WebFetch", {"result": "key=1"}),
        ("Agent", {"content": [{"type": "text", "text": "key=1"}]}),
        ("Task", {"content": [{"type": "text", "text": "key=1"}]}),
        ("Write", "key=1"),
        ("refund", "key=1"),
    ],
)
def test_a_result_that_is_only_text_has_it_where_policies_look_and_becomes_a_text_again(tool: str, meant):
    assert meaning(tool, "key=1") == meant
    assert fit(tool, "key=1", meant) == text_of_result(tool, meant) == "key=1"
    assert fit(tool, "key=1", "gone") == "gone"


@pytest.mark.parametrize(
    ("tool", "output", "text"),
    [
        ("Bash", {"stdout": "a", "stderr": "b"}, "a\nb"),
        ("Bash", {"stdout": "", "stderr": ""}, ""),
        ("Bash", {"stdout": "a", "stderr": "", "note": "b"}, "a"),
        ("Bash", {"note": "b"}, '{"note":"b"}'),
        ("Bash", ["a"], '["a"]'),
        ("Read", {"type": "image", "file": {"base64": "AA=="}}, '{"type":"image","file":{"base64":"AA=="}}'),
        ("refund", {"stdout": "a"}, '{"stdout":"a"}'),
        ("mcp__a__Bash", {"stdout": "a"}, '{"stdout":"a"}'),
    ],
)
def test_a_result_as_one_text_is_what_the_model_reads_of_it(tool: str, output, text: str):
    assert text_of_result(tool, output) == text


def test_a_text_goes_where_the_model_reads_first_and_the_rest_is_emptied():
    assert fit("Bash", {**SHELL, "stderr": "key=2"}, "gone") == {**SHELL, "stdout": "gone", "stderr": ""}
    assert fit("Read", TEXT_FILE, "gone")["file"]["content"] == "gone"
    assert fit("Glob", {"filenames": ["a", "b"], "numFiles": 2}, "gone") == {"filenames": ["gone"], "numFiles": 2}
    assert fit("Agent", {"content": [{"type": "text", "text": "a"}]}, "gone") == {
        "content": [{"type": "text", "text": "gone"}]
    }


def test_an_object_of_the_same_shape_fits_and_what_it_adds_is_left_out():
    assert fit("Bash", SHELL, {**SHELL, "stdout": "gone"}) == {**SHELL, "stdout": "gone"}
    # A key the client knows with another type would make it drop the whole replacement.
    assert fit("Bash", SHELL, {**SHELL, "stdout": "gone", "backgroundTaskId": 5}) == {**SHELL, "stdout": "gone"}


def test_a_long_shell_result_loses_the_path_to_its_original():
    long = {**SHELL, "persistedOutputPath": "/tmp/all.txt", "persistedOutputSize": 10, "isImage": True}
    assert fit("Bash", long, {**long, "stdout": "gone"}) == {**SHELL, "stdout": "gone"}
    assert fit("Bash", long, "gone") == {**SHELL, "stdout": "gone"}
    assert withhold("Bash", long, "HELD") == {**SHELL, "stdout": "HELD"}
    assert fit("Bash", long, long) == long


@pytest.mark.parametrize(
    "output",
    [
        {"stdout": "gone"},
        {**SHELL, "stdout": None},
        {**SHELL, "stdout": ["gone"]},
        {**SHELL, "interrupted": 0},
        ["gone"],
        {},
    ],
)
def test_another_shape_is_refused_because_the_client_would_show_the_original(output):
    with pytest.raises(Misfit):
        fit("Bash", SHELL, output)


def test_a_word_that_the_clients_schema_lists_may_not_change():
    with pytest.raises(Misfit):
        fit("Read", TEXT_FILE, {**TEXT_FILE, "type": "[redacted]"})


def test_a_text_for_a_tool_nobody_has_described_is_refused():
    with pytest.raises(Misfit):
        fit("Frobnicate", {"a": "b"}, "gone")


def test_an_mcp_result_is_replaced_by_text_or_blocks_as_it_came():
    blocks = [{"type": "text", "text": "key=1"}]
    assert fit("mcp__a__b", blocks, "gone") == [{"type": "text", "text": "gone"}]
    assert fit("mcp__a__b", "key=1", "gone") == "gone"
    assert fit("mcp__a__b", '{"key":1}', {"key": 0}) == '{"key":0}'
    assert fit("mcp__a__b", blocks, [{"type": "text", "text": "x"}]) == [{"type": "text", "text": "x"}]
    # A block without text shows as "undefined"; it is data, so it goes in as text.
    assert fit("mcp__a__b", blocks, [{"type": "text"}]) == [{"type": "text", "text": '[{"type":"text"}]'}]


@pytest.mark.parametrize("name", sorted(RESULTS))
def test_a_captured_result_fits_itself(name):
    event = RESULTS[name]
    assert fit(event["tool_name"], event["tool_response"], event["tool_response"]) == event["tool_response"]


@pytest.mark.parametrize("name", sorted(RESULTS))
def test_a_withheld_result_keeps_no_text_of_the_original(name):
    event = RESULTS[name]
    held = withhold(event["tool_name"], event["tool_response"], "HELD")
    fixed = {"text", "image", "create", "content", "completed", "pending", "files_with_matches", "HELD", ""}
    path = event["tool_response"]["file"].get("filePath", "") if name.startswith("Read") else ""
    assert set(_strings(held)) <= fixed | ({path} if "image" in name else set())


def test_an_image_that_was_read_is_withheld_as_a_text_file():
    held = withhold("Read", {"type": "image", "file": {"base64": "aWs=", "type": "image/png"}}, "HELD")
    assert held == {
        "type": "text",
        "file": {"filePath": "", "content": "HELD", "numLines": 1, "startLine": 1, "totalLines": 1},
    }


def test_encoded_bytes_elsewhere_cannot_be_withheld_by_text():
    with pytest.raises(Misfit):
        withhold("Screenshot", {"image": {"base64": "aWs="}}, "HELD")


@given(JSON, JSON)
def test_fitting_any_values_either_fits_or_is_refused(response, output):
    for tool in ("Bash", "mcp__a__b"):
        try:
            fitted = fit(tool, response, output)
        except Misfit:
            continue
        json.dumps(fitted)


def _strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
