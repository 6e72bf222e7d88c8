"""Desktops and what people run on them: windows, players, editors of media, games, and the small helpers between."""

from __future__ import annotations

from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]

_OUT = (
    "o/output/out=write outfile=write output-file=write output-dir/outdir/output-directory/out-dir=write dest=write "
    "save=write export=write log-file/logfile=write"
)
_WRITES = act("changes", f"{_OUT} *", "mention*")
_SHOWS = look(f"{_OUT} *", "read*")
_OPENS = act("interactive", "*", "mention*")


def _verbs(shows: str, otherwise: str, traits: str = "") -> Program:
    """A program of subcommands: those that show, and what the rest does."""
    return Program(
        "*", "text*", "", subs={shows: look(f"{_OUT} *", "mention*", traits), "*": act(otherwise, "*", "mention*")}
    )


TABLE: Table = {
    # applications
    "gnome-calculator gnome-calendar gnome-weather gnome-system-monitor gnome-control-center gnome-software "
    "gnome-maps gnome-clocks "
    "gnome-characters gnome-font-viewer gnome-logs gnome-disks gnome-text-editor gnome-music gnome-photos totem "
    "cheese baobab "
    "seahorse kcalc dolphin-emu krdc krfb kinfocenter systemsettings systemsettings5 plasma-discover kmail korganizer "
    "kontact akregator kget ktorrent k3b ark engrampa file-roller xarchiver geany bluefish kdevelop "
    "qtcreator monodevelop eclipse netbeans dbeaver squirrel-sql pgadmin4 mysql-workbench sqlitebrowser insomnia "
    "postman bruno soapui "
    "lmms ardour mixxx hydrogen rosegarden musescore3 kdenlive shotcut openshot-qt flowblade pitivi avidemux "
    "losslesscut "
    "olive-editor davinci-resolve freecad openscad librecad kicad eagle qcad solvespace meshlab meshlabserver cura "
    "prusa-slicer slic3r "
    "qgis josm stellarium celestia marble gnucash homebank kmymoney skrooge zotero mendeley anki obsidian logseq "
    "joplin "
    "joplin-desktop zettlr typora qownnotes QOwnNotes cherrytree standardnotes telegram-desktop signal-desktop discord "
    "element-desktop thunderbird evolution geary claws-mail mumble zoom teams skypeforlinux steam lutris heroic "
    "bottles protontricks "
    "protontricks-launch retroarch openttd luanti minetest supertuxkart wesnoth 0ad freeciv nethack angband gnugo "
    "gnuchess stockfish "
    "bastet nudoku greed moon-buggy hangman gomoku snake4 nsnake yetris nyxt qutebrowser dillo falkon epiphany midori "
    "surf luakit "
    "vimb netsurf tor-browser rpi-imager unetbootin "
    "remote-viewer gnome-boxes bvnc bssh xpra waypipe phpstorm "
    "datagrip rubymine android-studio arduino processing thonny mu-editor spyder rstudio glade gtk3-demo "
    "gtk4-demo xeyes xclock xcalc xlogo xteddy xman glxgears vkcube es2gears calligraflow calligrasheets "
    "calligrastage calligrawords "
    "scribus pinta drawing mtpaint xpaint gcolor3 gpick grabc hyprpicker colorpicker farge font-manager imhex okteta "
    "clementine audacious qmmp deadbeef amarok elisa strawberry quodlibet banshee smplayer celluloid haruna kodi "
    "jellyfin-media-player "
    "plexmediaplayer parole dragonplayer exaile ncmpcpp ncspot spotify_player cmusfm termusic musikcube newsboat "
    "feedreader liferea "
    "hexchat profanity aerc calcurse khal cutecom": _OPENS,
    # players, tags and sound
    "mpc mpd rmpc mopidy cmus-remote audtool playerctld pamixer pulseaudio-ctl alsactl ponymix pulsemixer "
    "pavucontrol-qt wireplumber pipewire "
    "pipewire-pulse pulseaudio jackd qjackctl aconnect speaker-test beep pw-cat pw-play pw-loopback pw-link "
    "pw-metadata pw-midi2play "
    "timidity fluidsynth mpg321 ogg123 mp3blaster sidplayfp": act("device", "l/list!dry i/list-inputs!dry "
        "get-volume!dry "
        "get-mute!dry *", "mention*"),
    "pw-dump pw-top pw-mon pw-dot pw-mididump pw-profiler pw-config aseqdump gst-inspect-1.0 gst-discoverer-1.0 "
    "gst-typefind-1.0 gst-device-monitor-1.0 id3info webpinfo jxlinfo gifdiff exif pngmeta "
    "discid cd-discid dvdinfo lsdvd": look(
        f"{_OUT} remove!acts r!acts c/create-exif!acts n!acts e!acts remove-thumbnail!acts insert-thumbnail=text!acts "
            "extract-thumbnail!acts ifd= t= set-value=text!acts i!acts *", "read*"),
    "pw-record pw-midi2record arecordmidi parec": act("captures", "*", "write*"),
    "metaflac": look("list show-md5sum show-min-blocksize show-sample-rate show-channels show-bps show-total-samples "
        "show-tag= "
        "show-all-tags export-tags-to=write export-picture-to=write remove!acts remove-all!acts remove-tag=text!acts "
        "set-tag=text!acts "
        "set-tag-from-file=text!acts import-tags-from=read!acts import-picture-from=text!acts remove-all-tags!acts "
        "add-replay-gain!acts "
        "remove-replay-gain!acts add-padding=text!acts add-seekpoint=text!acts merge-padding!acts sort-padding!acts "
        "block-number= "
        "block-type= with-filename no-filename no-utf8-convert dont-use-padding preserve-modtime data-format=",
            "read*"),
    "mid3v2 id3v2 id3tag eyeD3 mutagen mutagen-inspect kid3-cli beet picard mp3gain aacgain vorbisgain vorbiscomment "
    "opustags loudgain "
    "rsgain mkvpropedit m4b-tool shnsplit cuetag bchunk cdparanoia abcde ripit whipper flac2mp3 reflac oggdec opusdec "
    "faac fdkaac "
    "twolame sndfile-convert rubberband soundstretch handbrakecli melt ges-launch-1.0 gst-transcoder-1.0 transcode "
    "mencoder x264 x265 svtav1 rav1e av1an ab-av1 nano-ffmpeg ffmpeg-normalize subliminal ffsubsync alass "
    "vgmstream_cli mp4decrypt "
    "mp4extract bento4 rtmpdump ytfzf youtube-viewer": _WRITES,
    # pictures
    "cjxl djxl cavif guetzli jpegtran cjpeg djpeg mozjpeg pngcrush pngout advpng zopflipng ect gif2webp img2webp "
    "webpmux vwebp gif2apng "
    "apngasm giftopng png2ico icotool wrestool autotrace vtracer primitive waifu2x realesrgan-ncnn-vulkan "
    "waifu2x-ncnn-vulkan "
    "upscayl imgp sam2p ufraw-batch dcraw darktable dcraw_emu rawtherapee enfuse align_image_stack hugin_executor "
    "pto_gen nona "
    "vips vipsthumbnail assimp stl2gts povray openjpeg opj_compress opj_decompress colorz pastel wal wallust matugen "
    "pywal "
    "pdfattach pdfdetach pdftohtml pdfsandwich pdf2svg pdf2djvu djvups ddjvu djvudigital img2djvu pstoedit pstopdf "
    "epstopdf "
    "ps2eps ps2ascii a2ping k2pdfopt briss krop unpaper scantailor-cli paperjam gocr ocrad cuneiform kraken easyocr "
    "zint barcode "
    "qr qrterminal segno manim pygbag chdman flips xdelta xdelta3 bsdiff bspatch": _WRITES,
    # Netpbm: filters from standard input, or a file, to standard output
    "pamtopng pamtotiff pamtogif pamtotga pamtowinicon pamtopnm pamtopam pamtouil pamtofits pamtoqoi pamtosrf "
    "pamtoxvmini "
    "pamscale pamcut pamfile pamfix pamflip pamslice pamcomp pamditherbw pammixinterlace pamundice pambrighten "
    "pamcrater pamdeinterlace "
    "pamenlarge pamfunc pamoil pamshadedrelief pamstack pamstretch pamarith pambackground pamdepth pamedge pampick "
    "pampop9 pamstretch-gen "
    "pbmclean pbmnoise pbmpage pbmreduce pbmtoepson pbmtogem pbmtolj pbmtomda pbmtextps pbmtoascii pbmtoepsi "
    "pbmtoescp2 pbmlife pbmmake "
    "pbmmask pbmtext pbmtobbnbg pbmtomacp pbmtoppa pbmtoxbm pbmupc pbmpscale pbmto4425 pbmtoatk pbmtocmuwm pbmtogo "
    "pbmtomgr pbmtopgm "
    "pbmtopi3 pbmtoplot pbmtoptx pbmtosunicon pbmtowbmp pbmtoybm pbmtozinc pbmtonokia pgmhist pgmkernel pgmramp "
    "pgmenhance pgmnoise "
    "pgmtexture pgmtopgm pgmtoppm pgmbentley pgmdeshadow pgmmake pgmtofs pgmtolispm pgmtosbig pgmtost4 pgmmedian "
    "pngtopam pngtopnm "
    "pnmalias pnmconvol pnmcrop pnmgamma pnmindex pnmmontage pnmnorm pnmpad pnmremap pnmcolormap pnmhisteq pnmhistmap "
    "pnmnlfilt pnmrotate "
    "pnmscalefixed pnmscale pnmshear pnmtopclxl pnmtops pnmtorle pnmtosgi pnmtotiffcmyk pnmtoxwd pnmtopng pnmtojpeg "
    "pnmtoddif pnmtorast "
    "pnmmargin pnmmercator pnmpaste pnmquant pnmquantall pnmsmooth pnmtile pnminvert pnmpsnr pnmtopalm pnmtosir "
    "ppmchange ppmcie ppmdither "
    "ppmforge ppmhist ppmlabel ppmntsc ppmrainbow ppmshadow ppmtoacad ppmtoarbtxt ppmtobmp ppmtoicr ppmtoilbm ppmtolj "
    "ppmtomitsu ppmtopj "
    "ppmtopjxl ppmtosixel ppmtoxpm ppmtv ppmwheel ppmcolormask ppmdim ppmdist ppmdraw ppmflash ppmglobe ppmmake "
    "ppmmix ppmpat ppmquant "
    "ppmrelief ppmshift ppmspread ppmtoapplevol ppmtoascii ppmtoeyuv ppmtogif ppmtoleaf ppmtoneo ppmtopcx ppmtopgm "
    "ppmtopi1 ppmtopict "
    "ppmtoppm ppmtopuzz ppmtorgb3 ppmtospu ppmtoterm ppmtoyuv rawtopgm rawtoppm rasttopnm giftopnm tifftopnm tgatoppm "
    "xpmtoppm xbmtopbm "
    "xwdtopnm ximtoppm yuvtoppm yuy2topam zeisstopnm anytopnm asciitopgm atktopbm bioradtopgm bmptopnm brushtopbm "
    "cmuwmtopbm escp2topbm "
    "eyuvtoppm fiascotopnm fitstopnm fstopgm gemtopnm gouldtoppm hipstopgm ilbmtoppm imgtoppm infotopam jbigtopnm "
    "jpegtopnm leaftoppm "
    "lispmtopgm macptopbm mdatopbm mgrtopbm mtvtoppm neotoppm palmtopnm pcxtoppm pfmtopam pi1toppm pi3topbm picttoppm "
    "pjtoppm psidtopgm "
    "qoitopam qrttoppm rgb3toppm rlatopam rletopnm sbigtopgm sgitopnm sirtopnm sldtoppm spctoppm spottopgm sputoppm "
    "srftopam st4topgm "
    "sunicontopnm svgtopam thinkjettopbm wbmptopbm winicontopam xvminitoppm ybmtopbm": look(
        "alphaout=write data=write header=write text=write textfile=write mapfile=read histogram=write transparent= "
        "output=write outfile=write *", "read*",
            long=True),
    "pamsplit pamdice pamtompfont pnmtofiasco ppmtompeg ppmtoyuvsplit ppmfade pcdovtoppm pstopnm yuvsplittoppm "
    "vidtoppm": _WRITES,
    "pamexec": Program("check", "shell read", "read-only"),
    # window managers, bars, locks and notices
    "bspc bspwm i3 sway niri hyprpm herbstclient awesome-client qtile xmonad openbox fluxbox twm dwm yabai skhd goku "
    "aerospace amethyst "
    "wayfire river riverctl labwc cage weston plasmashell latte-dock kwin_wayland kwin_x11 kscreen-console "
    "kpackagetool5 kpackagetool6 "
    "plasma-apply-colorscheme plasma-apply-cursortheme plasma-apply-desktoptheme plasma-apply-lookandfeel "
    "plasma-apply-wallpaperimage "
    "gnome-extensions gnome-shell gnome-session-quit mate-about cinnamon-settings swaybg swayidle swaylock swaynag "
    "i3lock "
    "i3-nagbar i3exit betterlockscreen blurlock physlock xtrlock vlock light-locker slock hyprpaper hyprsunset "
    "hyprlock hypridle awww swww "
    "wlsunset gammastep redshift-gtk f.lux numlockx xbanish unclutter hhpc picom picom-trans compton xcompmgr conky "
    "polybar polybar-msg "
    "waybar eww ags trayer stalonetray tint2 dunst dunstctl dunstify mako makoctl fnott swaync swaync-client "
    "xwallpaper autorandr "
    "mons arandr nwg-displays kanshi wdisplays xsetwacom libinput-gestures fusuma touchegg kmonad kanata xcape sxhkd "
    "swhkd "
    "ydotoold wtype dotool wlrctl warpd espanso autokey ksuperkey kdocker devilspie2 alltray rofi-theme-selector "
    "fuzzel tofi bemenu wmenu "
    "walker anyrun ulauncher albert krunner synapse kupfer dark-mode brightness blight backlight_control "
    "ybacklight caffeine caffeine-indicator kde-inhibit optimus-manager switcherooctl "
    "openrgb cbatticon betterdiscordctl spicetify oh-my-bash omf bash-it antibody p10k "
    "balooctl balooctl6 tracker3 tracker localsearch recollindex": act("changes", "version!dry *", "mention*"),
    "i3-scrot gpu-screen-recorder showmethekey silentcast grimblast wayshot wl-screenrec": act("captures",
        "list-audio-devices!dry list-capture-options!dry list-monitors!dry list-application-audio!dry info!dry *",
        "write*"),
    # A person points at what is taken.
    "gnome-screenshot flameshot spectacle obs hyprshot mate-screenshot xfce4-screenshooter screenkey peek kooha satty "
    "swappy ksnip shutter deepin-screenshot": act("captures interactive", "*", "write*"),
    "cliphist clipman clipse clipmenu gpaste-client greenclip parcellite clip-view md-to-clip": act("clipboard", "*"),
    "xlsw wev slop xrectsel xkbcli mate-dictionary": look("*", "text*"),
    "kdeconnect-cli gsconnect ntfyme adbfs jmtpfs simple-mtpfs gphotofs": act("device", "l/list-devices!dry "
        "a/list-available!dry *",
        "mention*"),
    "gphoto2": look("auto-detect list-ports list-cameras list-files L n/num-files a/abilities summary list-config "
        "list-all-config "
        "get-config= about storage-info port= camera= f/folder= R v/version", "text*", "device"),
    # notes, tasks and time
    "timew timewarrior watson timetrap taskwarrior-tui todo todo.sh todoman topydo todoist dnote nb notmuch "
    "moro gtg ultralist dstask taskell pomo porsmo tomato-c bartib klog toggl clockify harvest-cli zk dijo habitctl "
    "when gcalcli goobook abook khard shiori tmsu": _verbs(
        "list ls ll show summary stats log tags projects count day week month next today agenda search find help "
        "version "
        "frames status ids lsprj listall lsp lsc listpri listproj listcon view cat print tag-list calm calw",
            "changes"),
    "toipe typeinc ttyper wpm gotypist speedread spreeder": look("*", "text*", "interactive"),
    # small machines and boards
    "mpremote ampy rshell esptool.py picotool rkdeveloptool minipro st-info st-util stm32flash bossac "
    "teensy_loader_cli "
    "circup arduino-builder simavr microcom kermit": act("device", "*", "mention*"),
    "rpiboot uuu": act("formats-disk device", "*", "mention*"),
    "bmaptool": Program("*", "text*", "changes", subs={"copy": act("changes", "bmap= nobmap no-verify *", "fetch* "
        "write"),
        "*": act("changes", f"{_OUT} *", "read*")}),
}  # fmt: skip
