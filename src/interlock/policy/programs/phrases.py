"""`does`: traits for an entry itself, or a map of traits to phrases, the words of subcommands that have them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias, Union

from msgspec import Struct
from msgspec.structs import replace

from interlock.facts.programs.table import Program
from interlock.facts.programs.traits import HARMLESS
from interlock.policy.positions import Node
from interlock.policy.programs.words import texts, trait_words
from interlock.policy.reader import Reader

__all__ = ["Phrases", "read_phrases"]

_Tree: TypeAlias = dict[str, Union[str, "_Tree"]]  # a word → traits, or the words that follow; "" : by itself


class Phrases(Struct, frozen=True):
    """What `does` says: of the entry without a subcommand, and of its subcommands."""

    bare: tuple[str, ...]
    tree: _Tree
    has_bare: bool = False

    def forms(self, options: list[str], *, single_dash: bool) -> dict[str, Program]:
        """A form for every phrase; of words with the same meaning, one form. `*` is for every other word."""
        return _forms(self.tree, Program(options=" ".join(dict.fromkeys(options)), long=single_dash))

    def listed(self) -> dict[str, tuple[str, ...]]:
        """The phrases by their traits, as a service takes them."""
        found: dict[str, list[str]] = {}
        if self.has_bare:
            found[" ".join(self.bare)] = [""]
        for phrase, traits in _walk(self.tree):
            found.setdefault(traits, []).append(phrase)
        return {traits: tuple(phrases) for traits, phrases in found.items()}


def _forms(tree: _Tree, form: Program, otherwise: str | None = None) -> dict[str, Program]:
    """A form for each word of a tree, like `form`. `otherwise`: what every other word means."""
    by_meaning: dict[str, list[str]] = {}
    forms: dict[str, Program] = {}
    star = tree.get("*", otherwise)
    otherwise = star if isinstance(star, str) else None
    for word, meaning in tree.items():
        if isinstance(meaning, str):
            if word:
                by_meaning.setdefault(meaning, []).append(word)
            continue
        bare = meaning.get("", otherwise or "")
        traits = bare if isinstance(bare, str) else ""
        # `refund list` looks, and `refund 12` is a refund. What only looks may do anything with more words.
        acts = not HARMLESS.issuperset(traits.split())
        subs = _forms(meaning, form, traits if acts and "" in meaning else otherwise)
        forms[word] = replace(form, traits=traits, subs=subs)
    for traits, words in by_meaning.items():
        forms[" ".join(words)] = replace(form, traits=traits)
    if otherwise is not None and "*" not in tree:
        forms["*"] = replace(form, traits=otherwise)
    return forms


def _walk(tree: _Tree, before: str = "") -> Iterator[tuple[str, str]]:
    for word, meaning in tree.items():
        phrase = f"{before} {word}".strip()
        if isinstance(meaning, str):
            yield phrase, meaning
        else:
            yield from _walk(meaning, phrase)


def read_phrases(reader: Reader, node: Node) -> Phrases:
    """What `does` says."""
    if not isinstance(node.value, dict):
        found = [trait for text, place in texts(reader, node, "`does`", empty=True)
                 for trait in trait_words(reader, text, place)]  # fmt: skip
        return Phrases(tuple(dict.fromkeys(found)), {}, True)
    bare: tuple[str, ...] = ()
    has_bare = False
    tree: _Tree = {}
    for key, listed in node.value.items():
        traits = " ".join(trait_words(reader, key, Node(key, node.keys.get(key, node.source))))
        for text, place in texts(reader, listed, "a subcommand", empty=True):
            words = text.split()
            if not words:
                bare, has_bare = tuple(traits.split()), True
            elif words[0].startswith("-") and words[0] != "-":
                help = f"describe the option instead: `options: [{words[0].lstrip('-')}!dry]`, or under `when`"
                reader.complain(f"`{text}` is an option, and no subcommand", place.source, help)
            elif not _add(tree, words, traits):
                reader.complain(f"`{text}` is listed twice under `does`", place.source, "leave one of them out")
    return Phrases(bare, tree, has_bare)


def _add(tree: _Tree, words: list[str], traits: str) -> bool:
    """Put a phrase into the tree. False if it has a meaning already."""
    *before, last = words
    for word in before:
        inner = tree.setdefault(word, {})
        if isinstance(inner, str):
            inner = tree[word] = {"": inner}
        tree = inner
    known = tree.get(last)
    if isinstance(known, dict):
        if "" in known:
            return False
        known[""] = traits
        return True
    if known is not None:
        return False
    tree[last] = traits
    return True
