"""Keys, certificates, encryption and password stores."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft, host_of
from interlock.facts.programs.table import Program, Table, act, look, words

__all__ = ["TABLE"]

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
    flags = set(draft.flags)
    if {
        "--list-keys",
        "--list-secret-keys",
        "--list-sigs",
        "--check-sigs",
        "--fingerprint",
        "--verify",
        "--list-packets",
        "--show-keys",
        "--list-config",
        "--print-md",
        "--card-status",
        "--list-public-keys",
        "--list-only",
    } & flags:
        draft.looks()
        draft.reads += draft.operands if {"--verify", "--list-packets", "--show-keys"} & flags else []
    elif {"--export-secret-keys", "--export-secret-subkeys"} & flags:
        draft.add("reads-secret")
    elif {"--export", "--version", "--help"} & flags:
        draft.looks()
    elif {"--delete-keys", "--delete-secret-keys", "--delete-secret-and-public-key"} & flags:
        draft.add("writes-secret", "shreds")
    elif {
        "--import",
        "--gen-key",
        "--full-generate-key",
        "--quick-generate-key",
        "--edit-key",
        "--sign-key",
        "--lsign-key",
        "--import-ownertrust",
        "--trust-model",
    } & flags:
        draft.add("writes-secret")
        draft.reads += draft.operands
    elif {"--recv-keys", "--send-keys", "--search-keys", "--refresh-keys", "--keyserver", "--locate-keys"} & flags:
        draft.add("network", "writes-secret")
    else:
        draft.add("encrypts")
        draft.reads += draft.operands
        if "--symmetric" in flags:
            draft.add("locks")
        if "--output" not in flags and {"--encrypt", "--symmetric", "--sign", "--detach-sign", "--clearsign"} & flags:
            draft.writes += [word + ".\0" for word in draft.operands]


def _keygen(draft: UseDraft) -> None:
    flags = set(draft.flags)
    file = draft.value("-f")
    if "-R" in flags:
        draft.writes.append(file or "~/.ssh/known_hosts")
    elif {"-l", "-F", "-L", "-B"} & flags or "-y" in flags:
        draft.reads.append(file or "~/.ssh/id_rsa")
        draft.looks("writes-secret")
    else:
        draft.writes += [file, file + ".pub"] if file else ["~/.ssh/id_\0"]


def _lock(draft: UseDraft) -> None:
    """With a password; a file for another's public key is for that one to read."""
    others = {"--decrypt", "--recipient", "--recipients-file", "--identity"} & set(draft.flags)
    if not others and draft.args[:1] not in {("dec",), ("info",)}:
        draft.add("locks")


_GPG = (
    "s/sign clear-sign/clearsign b/detach-sign e/encrypt c/symmetric store d/decrypt verify multifile "
    "k/list-keys/list-public-keys K/list-secret-keys check-signatures/check-sigs list-signatures/list-sigs "
    "fingerprint list-packets list-config print-md= edit-card card-status change-pin delete-keys "
    "delete-secret-keys delete-secret-and-public-key export send-keys export-secret-keys "
    "export-secret-subkeys "
    "import fast-import import-ownertrust export-ownertrust receive-keys/recv-keys refresh-keys search-keys "
    "fetch-keys=url update-trustdb check-trustdb gen-key generate-key full-generate-key full-gen-key "
    "quick-generate-key/quick-gen-key quick-add-key gen-revoke edit-key sign-key lsign-key passwd a/armor "
    "o/output=write max-output= r/recipient= R/hidden-recipient= u/local-user= default-key= t/textmode "
    "n/dry-run!dry i/interactive "
    "batch no-tty yes no homedir= keyring=read no-default-keyring secret-keyring= passphrase= passphrase-file=read "
    "passphrase-fd= pinentry-mode= trust-model= keyserver=host keyserver-options= cipher-algo= compress-algo= "
    "digest-algo= z= v/verbose q/quiet with-colons with-fingerprint with-keygrip keyid-format= status-fd= "
    "logger-fd= show-keys import-options= export-options= list-options= verify-options= always-trust "
    "dearmor enarmor locate-keys agent-program=program dirmngr-program=program photo-viewer=shell "
    "gpgconf-program=program "
    "no-symkey-cache list-only use-agent f= personal-digest-preferences= no-options options=read "
    "ignore-time-conflict allow-weak-key-signatures"
)


def _sops(draft: UseDraft) -> None:
    """Decrypted to the terminal or a file, what was kept is plain."""
    said = draft.operands[:1]
    if "--decrypt" in draft.flags or said in (["decrypt"], ["exec-env"], ["exec-file"], ["edit"]):
        draft.add("reads-secret")
    if said in (["exec-env"], ["exec-file"]) and draft.operands[2:]:
        draft.run("shell", " ".join(draft.operands[2:]))
    if "--in-place" in draft.flags:
        draft.writes += draft.operands


TABLE: Table = {
    "openssl libressl gmssl": Program("in=read out=write inform= outform= noout text subject issuer dates enddate "
        "startdate fingerprint serial pubkey pubout pubin modulus purpose ext= hash email ocsp_uri checkend= "
        "connect= servername= showcerts CAfile=read CApath=read cert=read key=read pass= passin= passout= k= K= "
        "iv= S= d e a base64 salt nosalt pbkdf2 iter= A nopad md= sha1 sha224 sha256 sha384 sha512 md5 "
        "blake2b512 hex r binary sign=read verify=read signature=read "
        "hmac= rand= days= x509 new newkey= nodes noenc subj= addext= config=read "
        "CA=read CAkey=read CAcreateserial req extensions= extfile=read "
        "set_serial= untrusted=read trusted=read partial_chain "
        "verify_hostname= purpose= tls1 tls1_1 tls1_2 tls1_3 no_tls1_3 "
        "starttls= alpn= brief quiet ign_eof tlsextdebug status "
        "cipher= s v V help stdname export inkey=read "
        "certfile=read nokeys nocerts clcerts cacerts info "
        "legacy name= "
        "algorithm= pkeyopt= curve= genkey list_curves conv_form= param_enc= "
        "print_certs crl_check aes-256-cbc aes-128-cbc aes256 aes-256-gcm accept= "
        "www WWW port= msg debug state nbio crlf nextprotoneg= checkhost= "
        "checkip= nameopt= certopt= aspubkey alias trustout crl=read "
        "nextupdate lastupdate gencrl revoke=read proxy=host reconnect "
        "verify_return_error prexit 1 5 6 apr1 stdin table check "
        "strparse= dump i offset= length= 3 2 bits seconds= multi= evp= issuer_hash "
        "subject_hash digest-commands cipher-commands public-key-algorithms "
        "cipher-algorithms digest-algorithms commands host= url=url issuer= "
        "resp_text a z kfile=read p P nosigs engine=program "
        "provider=program", "text*", "", long=True, special=_openssl),
    "gpg gpg2 gpgv": Program(_GPG, "text*", "", special=_gpg),
    "gpgconf gpg-agent gpg-connect-agent gpg-card gpgsm scdaemon": act("writes-secret",
        "list-components!dry list-dirs!dry *"),
    "ssh-keygen": Program("A a= B b= C= c D= E= e F= f= g H h I= i K= k L l M= m= N= n= O= o P= p Q q R= r= s= T= t= "
        "U u V= v W= w= Y= y Z= z=", "text*", "writes-secret", special=_keygen),
    "acme.sh lego mkcert step cfssl minisign signify certtool keytool jarsigner certutil pk12util "
    "p11tool ssss-split": act("writes-secret network", "dry-run!dry *", "mention*",
            special=lambda draft: draft.looks("writes-secret", "network") if draft.operands[:1] in (["certificates"],
                ["inspect"]) or {"-list", "-printcert"} & set(draft.args) else None),
    "age rage ccrypt ccencrypt mcrypt aescrypt scrypt bcrypt": act("encrypts", "d/decrypt/D e/encrypt r/recipient= "
        "R/recipients-file=read i/identity=read o/output=write p/passphrase a/armor K/key= k/keyfile=read T "
        "c/cat *", "edit*", special=_lock),
    "sops": Program("d/decrypt e/encrypt r/rotate i/in-place!acts o/output=write extract= set= k/kms= p/pgp= a/age= "
        "input-type= output-type= "
        "config=read ignore-mac v/verbose *", "read*", "encrypts", special=_sops),
    "ccdecrypt ccat gocryptfs encfs ecryptfs-mount-private tomb "
    "steghide outguess": act("encrypts", "d/decrypt e/encrypt r/recipient= R=read i/identity=read in-place "
            "o/output=write p/passphrase a/armor extract= set= *", "edit*"),
    "age-keygen": act("writes-secret", "o/output=write y"),
    # Alone it lists names.
    "pass gopass passage": look("", "text*", subs={"ls list find search grep version help": look("*"),
        "show": look("*", "text*", "reads-secret"),
            "insert add new create edit generate mv cp init import otp sync mounts": act("writes-secret", "*"),
            "rm delete remove": act("writes-secret shreds", "*"),
                "git": act("git/changes", "*"), "*": look("*", "text*", "reads-secret")}),
    "keepassxc-cli": Program("*", "text*", "", subs={"ls search diceware generate estimate analyze db-info help "
        "locate": look("*", "read*"),
        "add edit mkdir mv db-create db-edit import merge attachment-import": act("writes-secret", "*"), "rm rmdir "
            "attachment-rm": act(
            "writes-secret shreds", "*"), "*": act("reads-secret", "*")}),
    "ykman": Program("d/device= r/reader= l/log-level= diagnose", "text*", "device", subs={"list info": look("*"),
        "apdu script": act("device", "*"),
        "fido oath openpgp piv otp hsmauth config": Program("*", subs={"info": look("*"), "reset": act("device "
            "writes-secret shreds", "*"),
            "accounts credentials fingerprints keys certificates access": Program("*", subs={"list info": look("*"),
                "code": act("reads-secret", "*"),
                "delete": act("device writes-secret shreds", "*"), "*": act("device writes-secret", "*")}),
            "*": act("device", "*")})}),
    "secret-tool": Program("*", "text*", "", subs={"lookup search": act("reads-secret", "*"),
        "store": act("writes-secret", "*"),
        "clear": act("writes-secret shreds", "*"), "lock": act("changes", "*")}),
    "keyring bitwarden dashlane dcli"
        : Program("*", "text*", "reads-secret network", subs={"run": Program("env-file=read no-masking p/project= "
            "c/config= *", "argv", "reads-secret network"), "version --version help status": look("*"),
                "signin login signout logout lock unlock": act("signs-in network", "*"),
                    "create edit delete set add rm put": act("writes-secret network", "*"),
                        "*": act("reads-secret network", "*")}),
    "direnv": Program("", subs={"allow permit grant": act("runs-project", "*"),
        "deny revoke block prune reload edit": act("changes", "*"), "exec": Program("", "read argv", "runs-project"),
            "status version show_dump hook": look("*"), "export": act("runs-project", "*"), "*": act("changes", "*")}),
}  # fmt: skip
