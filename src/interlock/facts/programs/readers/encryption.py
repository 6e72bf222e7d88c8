"""Keys, certificates, encryption and password stores."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft, host_of
from interlock.facts.programs.table import Special, words

_LOOKS = words(
    "version help list x509 verify s_client ciphers asn1parse crl req dgst md5 sha1 sha256 sha384 sha512 rand prime "
    "errstr speed info base64 passwd storeutl ocsp pkcs7 ts"
)
_CIPHERS = ("aes", "des", "camellia", "chacha", "bf", "rc4", "aria", "sm4", "seed", "cast", "idea")


def _openssl(draft: UseDraft) -> None:
    """`openssl COMMAND`: most print; keys, `enc` and servers do more."""
    words = draft.operands
    command = words[0] if words else ""
    draft.words = words[:1]
    draft.operands = words[1:]
    for name, value in draft.values:
        if name == "--connect":
            draft.hosts.append(host_of(value))
    if command in {"s_server", "ocsp_server"}:
        draft.add("network/listens")
    elif command == "s_client":
        draft.add("network", "sends-stdin")
    elif command in {"enc", "smime", "cms", "rsautl", "pkeyutl"} or command.startswith(_CIPHERS):
        draft.add("encrypts", "encodes")
        if "-d" not in draft.args and (
            command.startswith(_CIPHERS) or any(word.lstrip("-").startswith(_CIPHERS) for word in draft.args)
            or {"-k", "-K", "-pass", "-pbkdf2", "-kfile"}.intersection(draft.args)
        ):  # fmt: skip
            draft.add("locks")
    elif command in {"genrsa", "genpkey", "gendsa"}:
        draft.add("writes-secret")  # a new key is nobody's yet
    elif command in {"ecparam", "rsa", "pkey", "ec", "dsa", "pkcs12", "pkcs8", "ssh"}:
        if not ({"--pubout", "--noout", "--pubin", "--list_curves", "--check"} & set(draft.flags)):
            draft.add("reads-secret")
        else:
            draft.looks()
    elif command in _LOOKS and "--new" not in draft.flags and "--x509" not in draft.flags and "--CA" not in draft.flags:
        draft.looks()
    elif command in {"engine", "ca"} or any(word in {"-engine", "-provider", "-config"} for word in draft.args):
        draft.add("changes")
    if command == "x509":
        # Nothing but a certificate comes out, whatever the file holds besides.
        shown = draft.value("--in")
        draft.reads = [file for file in draft.reads if file != shown]
    if command == "base64" or command == "enc":
        draft.add("encodes")


def _gpg(draft: UseDraft) -> None:
    """Without `--output`, what it makes has the name of the file and an ending."""
    makes = {"--encrypt", "--symmetric", "--sign", "--detach-sign", "--clear-sign"} & set(draft.flags)
    if makes and "--output" not in draft.flags:
        draft.writes += [word + ".\0" for word in draft.operands]


def _keygen(draft: UseDraft) -> None:
    """The key is a file and another one beside it; without a name, it has a usual one."""
    flags = set(draft.flags)
    file = draft.value("-f")
    if "-R" in flags:
        draft.writes.append(file or "~/.ssh/known_hosts")
    elif {"-l", "-F", "-L", "-B"} & flags or "-y" in flags:
        draft.reads.append(file or "~/.ssh/id_rsa")
        draft.looks("writes-secret")
    else:
        draft.writes += [file, file + ".pub"] if file else ["~/.ssh/id_\0"]


def _sops(draft: UseDraft) -> None:
    """Decrypted to the terminal or a file, what was kept is plain."""
    said = draft.operands[:1]
    if "--decrypt" in draft.flags or said in (["decrypt"], ["exec-env"], ["exec-file"], ["edit"]):
        draft.add("reads-secret")
    if said in (["exec-env"], ["exec-file"]) and draft.operands[2:]:
        draft.run("shell", " ".join(draft.operands[2:]))
    if "--in-place" in draft.flags:
        draft.writes += draft.operands


READERS: dict[str, Special] = {
    "gpg": _gpg,
    "keygen": _keygen,
    "openssl": _openssl,
    "sops": _sops,
}
