"""Pictures, sound, films, documents, printing and the desktop."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]


def _ffmpeg(draft: UseDraft) -> None:
    """Inputs follow -i; every other operand is written."""
    for name, value in draft.values:
        if name == "-i":
            draft.urls.append(value) if "://" in value else draft.reads.append(value)
    for word in draft.operands:
        if "://" in word:
            draft.urls.append(word)
            draft.sends = True
        elif word != "-":
            draft.writes.append(word)
    if any(word in {"x11grab", "avfoundation", "pulse", "alsa", "dshow", "gdigrab"} for word in draft.args):
        draft.add("captures")


def _convert(draft: UseDraft) -> None:
    files = draft.operands
    draft.reads += files[:-1]
    draft.writes += files[-1:]
    if any(word.startswith("|") or ":|" in word for word in draft.args):
        draft.aside(next(word for word in draft.args if "|" in word).partition("|")[2])


_POINTED = {"scrot": "s", "maim": "s", "screencapture": "iwW"}


def _pointed_at(draft: UseDraft) -> None:
    """A person marks what is taken, with a pointer that waits for them."""
    letters = "".join(word[1:] for word in draft.args if word[:1] == "-" and word[1:].isalpha())
    if "--select" in draft.args or set(_POINTED.get(draft.name, "")) & set(letters):
        draft.add("interactive")


def _exiftool(draft: UseDraft) -> None:
    draft.reads += draft.operands
    for option, text in zip(draft.args, draft.args[1:], strict=False):
        if option == "-config":
            draft.run("file", text, by="exiftool")
        elif option == "-if" and ("(" in text or "`" in text):
            draft.run("code:perl", text)
    if any("=" in word and word.startswith("-") and not word.startswith(("-if", "-d=")) for word in draft.args) or {
        "-overwrite_original",
        "-TagsFromFile",
    } & set(draft.args):
        draft.writes += draft.operands
        # Dates of the file itself; what a picture says of itself is its content.
        if any(
            word.lower().startswith(("-filemodifydate", "-filecreatedate", "-filename", "-fileaccessdate"))
            for word in draft.args
        ):
            draft.add("hides")
    else:
        draft.unknown.clear()
        draft.looks("changes")


def _paste(draft: UseDraft) -> None:
    if {"-o", "--output", "-out"} & set(draft.flags) or {"-o", "-out", "--output", "-b-o"} & set(draft.args):
        draft.add("clipboard")


def _sound(draft: UseDraft) -> None:
    lists = {"-l", "-L", "--list-devices", "--list-pcms"} & set(draft.flags)
    if lists and draft.name in {"aplay", "arecord"}:
        draft.looks("changes")
    elif draft.name in {"rec", "arecord", "parecord"}:
        draft.add("captures")


_ACTING = ("key", "type", "click", "mouse", "window", "set_", "exec", "behave", "select")


def _xdotool(draft: UseDraft) -> None:
    """Words that ask about windows; one that acts may follow them."""
    if draft.operands and not any(word.startswith(_ACTING) for word in draft.operands):
        draft.looks("captures", "changes")


def _xinput(draft: UseDraft) -> None:
    verb = draft.operands[0].lstrip("-") if draft.operands else "list"
    if "--list-props" in draft.flags or verb in {
        "list",
        "list-props",
        "get-button-map",
        "get-feedbacks",
        "watch-props",
    }:
        draft.looks("system-settings")
    elif verb.startswith(("test", "query-state")):
        draft.add("captures")


def _windows(draft: UseDraft) -> None:
    if draft.flags and {"-l", "-p", "-G", "-x", "-d", "-m", "-h", "-u", "-v"}.issuperset(draft.flags):
        draft.looks("changes")


TABLE: Table = {
    "ffmpeg avconv": Program("i= y n f= c= codec= vf= af= filter= filter_complex= ss= t= to= r= s= b= vn an sn map= "
        "loglevel= hide_banner preset= crf= pix_fmt= vcodec= acodec= ar= ac= ab= vb= aspect= frames= threads= "
        "stream_loop= shortest re metadata= movflags= tune= profile= level= g= bf= maxrate= bufsize= formats!dry "
        "codecs!dry version!dry encoders!dry decoders!dry filters!dry itsoffset= "
        "framerate= start_number= loop= safe= v= vframes= qscale= q= pass= an stats nostdin",
                                 "text*", "", long=True, special=_ffmpeg),
    "ffprobe mediainfo identify soxi tiffinfo pdfinfo pdffonts pngcheck jpeginfo opusinfo mkvinfo aapt": look("*",
        "read*"),
    "convert magick mogrify montage composite gm compare": act("changes", "*",
        special=lambda draft: draft.writes.extend(draft.operands) if draft.name == "mogrify" else _convert(draft)),
    "sox rec play lame oggenc flac opusenc mpg123 mpv vlc mplayer ffplay cvlc aplay paplay arecord parecord cava "
    "mocp cmus spotify rhythmbox audacity HandBrakeCLI mkvmerge mkvextract mp4box gst-launch-1.0 espeak "
    "espeak-ng festival": act("changes", "script=file scripts=file *", "mention*",
                special=_sound),
    "exiftool": Program("*", "text*", "changes", special=_exiftool),
    "exiv2": look("v q h!dry V!dry k b u g= K= n= P= p= d=text!acts e=text!acts i=text!acts M=text!acts m=text!acts "
        "r=text!acts a=text!acts Y=text!acts O=text!acts D=text!acts t!acts T!acts l= S= c=text!acts f!acts F!acts",
            "read*",
        special=lambda draft: draft.acts() if draft.operands[:1] in (["ad"], ["adjust"], ["rm"], ["delete"], ["in"],
            ["insert"], ["ex"], ["extract"], ["mv"], ["rename"], ["mo"], ["modify"], ["fi"], ["fixiso"], ["fc"],
                ["fixcom"]) else None),
    "jhead": look("v c l n=!acts ft!acts dsft=text!acts te=text!acts dt!acts dc!acts de!acts du!acts dx!acts "
        "purejpg!acts "
        "autorot!acts norot!acts cmd=shell ce!acts ca= cl=text!acts ci=text!acts cs=write rt!acts st=write "
        "ts=text!acts "
        "ta=text!acts da=text!acts mkexif!acts model= exonly quiet exifmap se h!dry", "read*", long=True),
    "mat2": act("changes", "l/list!dry check-dependencies!dry s/show!dry L/lightweight inplace V/verbose", "write*"),
    "optipng pngquant jpegoptim oxipng cwebp dwebp gifsicle gifski svgcleaner inkscape gimp blender krita "
    "darktable-cli rawtherapee-cli rsvg-convert potrace dot neato fdp circo plantuml mmdc ditaa qrencode zbarimg "
    "tesseract img2pdf heif-convert avifenc": act("changes", "o/output=write out=write *", "mention*"),
    "pdftotext pdftoppm pdftocairo pdfimages pdftk qpdf pdfunite pdfseparate gs ghostscript ps2pdf pdf2ps mutool "
    "cpdf ocrmypdf libreoffice soffice unoconv wkhtmltopdf weasyprint abiword antiword catdoc docx2txt": act(
            "changes", "o=write *", "mention*",
                special=lambda draft: draft.looks("changes") if draft.name == "pdftotext"
                    and draft.operands[-1:] == ["-"] else None),
    "lp lpr": act("device", "*", "read*"),
    "lpstat lpq lpinfo lpoptions": look("*"),
    "lpadmin cancel lprm cupsenable cupsdisable cupsctl": act("device system-settings", "*"),
    "xclip xsel wl-copy wl-paste pbcopy pbpaste clip termux-clipboard-get copyq win32yank": act("clipboard", "*",
        special=_paste),
    "scrot maim grim screencapture wf-recorder": act("captures", "*", "write*", special=_pointed_at),
    "import xwd "
    "simplescreenrecorder recordmydesktop byzanz-record fswebcam streamer imagesnap": act("captures", "*",
            "write*"),
    "slurp": look("*", "text*", "interactive"),
    "ydotool xte logkeys showkey": act("captures changes", "*"),
    # Events of a window of its own, unless another one is named.
    "xev": look("root!captures id=text!captures event= name= display= geometry= bw= bs= rv *", long=True),
    "xdotool": act("captures changes", "*", special=_xdotool),
    "xinput": Program("list? list-props= version", "text*", "system-settings", special=_xinput),
    "wmctrl": act("changes", "l p G x d m h u F i v a= R= c= r= s= b= e= N= I= T= t= k= o= n= g=",
        special=_windows),
    "xmodmap xrdb": act("system-settings", "pm!dry pk!dry pke!dry query!dry display= e= verbose v "
        "quiet n!dry merge load *",
        "read*", long=True),
    "xrandr xset xsetroot setxkbmap xhost xbacklight brightnessctl light ddcutil redshift wlr-randr "
    "hyprctl swaymsg i3-msg kscreen-doctor nitrogen loadkeys setfont setterm": act("system-settings",
            "q/query!dry current!dry *"),
    "pactl pacmd amixer alsamixer pavucontrol wpctl pw-cli playerctl bluetoothctl hciconfig hcitool btmgmt": Program(
        "*", "text*", "device", subs={"list info status show get-volume get-sink-volume get-default-sink stat "
            "scontrols sget metadata devices paired-devices": look("*"), "*": act("device", "*")}),
    "zenity kdialog yad dialog whiptail wofi": look("*", "mention*", "interactive"),
    "xdg-mime xdg-settings xdg-user-dirs-update xdg-desktop-menu update-desktop-database "
    "gtk-update-icon-cache fc-cache desktop-file-install": act("system-settings", "*",
            special=lambda draft: draft.looks("system-settings") if draft.operands[:1] in (["query"], ["get"],
                ["check"]) or (draft.name == "xdg-user-dir" and "".join(draft.operands).isalpha()) else None),
    "fc-list fc-match xdpyinfo xwininfo xprop glxinfo vainfo vulkaninfo vdpauinfo": look("*"),
    "gio kioclient gvfs-mount nautilus dolphin thunar pcmanfm caja nemo": Program("*", "mention*", "",
        subs={"list info cat tree monitor help version": look("*", "read*"), "trash remove": act("changes", "*",
            "delete*"), "open launch": act("interactive", "*", "fetch*"), "*": act("changes", "*", "mention*")}),
    "adb fastboot scrcpy idevice_id ideviceinfo ios-deploy": Program("s= d e t= H= P= L= a", "text*", "device",
        subs={"devices version get-state get-serialno logcat help": look("c/clear!changes f=write *"),
            "bugreport": act("device captures", "*", "write*"),
            "shell": Program("x n T t", "text*", "device", special=lambda draft: draft.run("shell",
                " ".join(draft.operands), where="host") if draft.operands else None, stops=True),
                    "pull": act("device", "a", "text* write"), "push": act("device", "*", "read* text"),
                        "install uninstall": act("device installs-package", "*"), "reboot flash erase oem flashing "
                            "format wipe": act("device formats-disk", "*"), "*": act("device", "*")}),
    "whisper ollama llm aichat sgpt mods": Program("*",
        "text*", "network interactive", subs={"list ls ps show version help --version": look("*", "text*", "network"),
            "rm delete": act("changes", "*"), "*": act("network interactive", "*")}),
    "telegram-cli slack slackcat ntfy pushover apprise signal-cli toot terminal-notifier": act(
        "notifies network sends-stdin", "*"),
}  # fmt: skip
