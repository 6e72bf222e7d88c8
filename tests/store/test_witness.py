"""A record that is lost together with its anchor, replaced or put back to an earlier state, is noticed."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from interlock.store.anchor import read_anchors
from interlock.store.base import Note, StoreError
from interlock.store.sqlite import SqliteStore
from tests.store.builders import entry


class Place:
    """A store with its witness elsewhere."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "state"
        self.path = self.folder / "store.db"
        self.witness = folder / "share" / "record.anchor"

    def open(self) -> SqliteStore:
        return SqliteStore(self.path, witness=self.witness, segment_size=10)

    def fill(self, count: int) -> None:
        with closing(self.open()) as store:
            for number in range(count):
                store.commit(entry(number))

    def problems(self) -> list[str]:
        with closing(self.open()) as store:
            return store.verify().problems

    def refusal(self) -> str:
        """Why nothing is written any more."""
        with pytest.raises(StoreError) as found:
            self.fill(1)
        assert found.value.help is not None
        assert "interlock lift --lost-record" in found.value.help
        return found.value.message


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_a_new_record_has_a_witness_from_the_start(place: Place):
    place.open().close()
    assert (read_anchors(place.witness).last, read_anchors(place.witness).problems) == (0, [])
    assert place.witness.stat().st_mode & 0o777 == 0o600


def test_the_witness_follows_the_record(place: Place):
    for last in (7, 14):
        place.fill(7)
        assert read_anchors(place.witness).last == last
        assert place.problems() == []


def test_a_record_that_is_gone_with_its_anchor_is_missed(place: Place):
    place.fill(7)
    shutil.rmtree(place.folder)
    lost = f"the record is lost: {place.path} is gone or empty, and {place.witness} says that it held 7 records"
    assert (place.refusal(), place.refusal()) == (lost, lost)  # to have looked once makes no new one


def test_a_record_that_was_never_written_to_is_missed_too(place: Place):
    place.open().close()
    shutil.rmtree(place.folder)
    assert place.refusal().endswith("says that it held 0 records")


def test_an_emptied_file_is_a_lost_record(place: Place):
    place.fill(7)
    place.path.write_bytes(b"")
    assert place.refusal().startswith("the record is lost")


def test_another_record_in_its_place_is_noticed(place: Place, tmp_path: Path):
    place.fill(7)
    shutil.rmtree(place.folder)
    with closing(SqliteStore(place.path)) as store:
        store.commit(entry())
    assert place.refusal() == f"the record {place.path} was replaced: it is not the one that {place.witness} attests"


def test_a_record_put_back_to_an_earlier_state_is_noticed(place: Place, tmp_path: Path):
    """It would lift a breach, and every limit with it."""
    place.fill(7)
    shutil.copytree(place.folder, tmp_path / "copy")
    with closing(place.open()) as store:
        store.commit(entry(notes=Note("s-1", breach="it ran")))
    shutil.rmtree(place.folder)
    shutil.copytree(tmp_path / "copy", place.folder)
    back = f"the record {place.path} was put back to an earlier state: {place.witness} attests record 8"
    assert place.refusal() == back
    assert place.problems() == ["the log ends at record 7, but its witness attests record 8"]
    with closing(SqliteStore(place.path)) as store:  # and if it has gone on from there meanwhile
        for number in range(5):
            store.commit(entry(number))
    rewritten = f"the record {place.path} was rewritten: its record 8 is not the one that {place.witness} attests"
    assert place.refusal() == rewritten


def test_what_was_pruned_is_not_missed(place: Place):
    place.fill(21)
    with closing(place.open()) as store:
        assert store.prune(21) == 20
    assert place.problems() == []
    place.fill(3)
    assert place.problems() == []


def test_a_record_from_before_there_were_witnesses_gets_one(place: Place):
    with closing(SqliteStore(place.path)) as store:
        store.commit(entry())
    assert not place.witness.exists()
    assert place.problems() == []
    assert place.witness.exists()


def test_a_witness_that_was_removed_is_missed_and_not_made_up_for(place: Place):
    place.fill(7)
    place.witness.unlink()
    missing = f"the anchor {place.witness} is missing: nothing shows that this log was not rebuilt"
    assert place.problems() == [missing]
    place.fill(7)
    assert place.problems() == [missing]
    with closing(place.open()) as store:
        store.bear_witness()
    assert (place.problems(), read_anchors(place.witness).last) == ([], 14)


def test_a_store_that_loses_its_files_while_it_is_open_says_so_and_begins_no_new_record(place: Place):
    with closing(place.open()) as store:
        store.commit(entry(1))
        store.close()
    with closing(place.open()) as store:
        store.commit(entry(2))
        shutil.rmtree(place.folder)
        with pytest.raises(StoreError, match="was removed or replaced while it was open"):
            store.commit(entry(3))
        for _ in range(2):
            with pytest.raises(StoreError, match="the record is lost"):
                store.commit(entry(3))
        assert not place.path.exists()


def test_a_store_that_is_open_goes_on_with_a_record_that_was_begun_anew(place: Place, tmp_path: Path):
    with closing(place.open()) as store:
        for number in range(5):
            store.commit(entry(number))
        shutil.move(place.folder, tmp_path / "away")
        shutil.move(place.witness, tmp_path / "away")
        place.fill(2)
        with pytest.raises(StoreError, match="was removed or replaced while it was open"):
            store.commit(entry(3))
        assert store.commit(entry(3)) == 3
    assert place.problems() == []
