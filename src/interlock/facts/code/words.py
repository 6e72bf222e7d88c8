"""The calls that matter in short programs: by their last name, or with what they are called on."""

from __future__ import annotations

__all__ = [
    "AGENT_CALLS", "AGENT_SDKS", "BARE_MOVES", "BINDS", "DELETES", "DISGUISES", "DROPS", "EVALUATES",
    "FOLLOWS", "GUARD_MODULES", "HARD_LINKS", "KILLS", "LISTENS",
    "MOVES", "NETWORK", "ONE_TEXT", "OPENS", "PATH_METHODS", "QUERIES", "READS", "RISKY_MODULES", "RUNS", "RUNS_TEXT",
    "SENDS", "SENDS_MORE", "UNPACKS", "WRITES",
]  # fmt: skip


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DELETES = _words("""
    os.remove os.unlink os.rmdir os.removedirs shutil.rmtree rmtree unlink rmdir unlinkSync rmSync rmdirSync fs.rm
    fsp.rm promises.rm rimraf rimrafSync removeSync fs.remove emptyDirSync File.delete File.unlink Dir.delete Dir.rmdir
    Dir.unlink FileUtils.rm FileUtils.rm_r FileUtils.rm_f FileUtils.rm_rf FileUtils.remove_dir FileUtils.remove_entry
    FileUtils.remove_entry_secure FileUtils.rmtree rm_rf rm_r rm_f remove_tree send2trash Deno.remove
""")
MOVES = _words("""
    os.rename os.replace os.renames shutil.move shutil.copy shutil.copy2 shutil.copyfile shutil.copytree fs.rename
    fs.renameSync fs.copyFile fs.copyFileSync fs.cp fs.cpSync File.rename FileUtils.mv FileUtils.cp FileUtils.cp_r
    FileUtils.copy FileUtils.install os.symlink os.link fs.symlinkSync fs.linkSync fs.symlink fs.link File.symlink
    File.link FileUtils.ln FileUtils.ln_s FileUtils.ln_sf FileUtils.link
""")
HARD_LINKS = _words("os.link fs.link fs.linkSync File.link FileUtils.ln FileUtils.link")  # of those, by another name
BARE_MOVES = _words("copy rename move symlink link move_uploaded_file")  # in languages that call them so
WRITES = _words("""
    write_text write_bytes touch os.mkdir os.makedirs os.mkfifo os.truncate os.chmod os.chown os.utime
    os.open fileinput.input fileinput.FileInput
    shutil.make_archive writeFileSync writeFile appendFileSync appendFile createWriteStream mkdirSync fs.mkdir
    truncateSync chmodSync fs.chmod outputFileSync File.write IO.write File.chmod FileUtils.touch FileUtils.mkdir
    FileUtils.mkdir_p FileUtils.chmod FileUtils.chmod_R file_put_contents np.save np.savetxt to_csv to_json to_parquet
    Deno.writeTextFile Bun.write
""")
READS = _words("""
    read_text read_bytes readFileSync readFile createReadStream File.read IO.read IO.readlines File.readlines
    file_get_contents readfile linecache.getlines Deno.readTextFile Bun.file
""")
FOLLOWS = _words("write_text write_bytes read_text read_bytes touch")  # their path is what they are called on
# Methods of a path that change what lies there, or open it.
PATH_METHODS = _words("open rename replace unlink rmdir chmod lchmod mkdir symlink_to hardlink_to link_to")
KILLS = _words("os.kill os.killpg process.kill Process.kill posix_kill signal.pidfd_send_signal")
UNPACKS = {"extractall": 0, "unpack_archive": 1}  # where the folder stands that they write to
OPENS = _words("open fopen File.open File.new fs.open fs.openSync")
NETWORK = _words("""
    urlopen urlretrieve request.urlopen request.Request requests.get requests.post requests.put requests.patch
    requests.delete requests.head requests.request requests.Session httpx.get httpx.post httpx.put httpx.request
    httpx.Client httpx.stream aiohttp.ClientSession urllib3.PoolManager client.HTTPConnection client.HTTPSConnection
    HTTPConnection HTTPSConnection socket.socket socket.create_connection socket.connect create_connection ftplib.FTP
    smtplib.SMTP fetch axios axios.get axios.post axios.put axios.request got http.get http.request https.get
    https.request net.connect net.createConnection tls.connect net.Socket WebSocket XMLHttpRequest Net.HTTP.get
    HTTP.get HTTP.post HTTP.post_form HTTP.get_response HTTP.start HTTP.new URI.open TCPSocket.new TCPSocket.open
    TCPSocket IO.Socket.INET INET.new LWP.UserAgent UserAgent.new LWP.Simple getstore getprint curl_init curl_exec
    fsockopen stream_socket_client
""")
LISTENS = _words("""
    TCPServer ThreadingTCPServer HTTPServer ThreadingHTTPServer UDPServer serve_forever TCPServer.new TCPServer.open
    start_server
""")
SENDS = _words("post put patch post_form request send sendall curl_exec urlopen Request fetch")
SENDS_MORE = _words("sendall sendto sendmail send_message")  # methods of a connection
RUNS = _words("""
    os.system os.popen os.execv os.execve os.execvp os.execl os.execlp os.execle os.execlpe os.execvpe os.spawnl
    os.spawnlp os.spawnle os.spawnlpe os.spawnv os.spawnvp os.spawnve os.spawnvpe os.posix_spawn os.posix_spawnp
    os.startfile webbrowser.get
    subprocess.run subprocess.call subprocess.Popen subprocess.check_call subprocess.check_output subprocess.getoutput
    subprocess.getstatusoutput Popen check_call check_output getoutput getstatusoutput pty.spawn
    asyncio.create_subprocess_shell asyncio.create_subprocess_exec create_subprocess_shell execSync spawnSync
    execFileSync execFile child_process.exec child_process.spawn cp.exec cp.spawn spawn Bun.spawn Bun.spawnSync
    Deno.Command Deno.run system Kernel.system Kernel.exec Kernel.spawn IO.popen popen Open3.capture2 Open3.capture3
    Open3.capture2e Open3.popen3 shell_exec passthru proc_open pcntl_exec
""")
# What follows their first argument is no word of the command: modes, options, where the output goes.
ONE_TEXT = _words("popen shell_exec passthru proc_open getoutput getstatusoutput execSync")
EVALUATES = _words("""
    eval exec execfile compile runpy.run_path runpy.run_module timeit.timeit timeit.repeat timeit.Timer cProfile.run
    cProfile.runctx profile.run profile.runctx pdb.run pdb.runeval code.interact code.InteractiveConsole
    code.InteractiveInterpreter Function vm.runInNewContext vm.runInThisContext
    instance_eval class_eval module_eval load syscall create_function
""")
# What they call or make is not told by their names.
DISGUISES = _words("getattr __import__ importlib.import_module marshal.loads pickle.loads pickle.load globals vars")
RISKY_MODULES = _words("""
    ctypes cffi paramiko fabric telnetlib pexpect scapy winreg _winreg ffi-napi boto3 botocore kubernetes docker azure
    hvac keyring browser_cookie3 pynput pyautogui sh plumbum sarge delegator envoy invoke shelljs execa zx
    cross-spawn rimraf del trash node-pty
""")
# Parts of Interlock that switch it off, trust a policy, or answer for a person; what others write against is left out.
# The last line has the names of earlier versions, one of which may be installed beside this one.
GUARD_MODULES = _words("""
    cli __main__ client spawn judging config hosts daemon files receipts driving hook_lint store.sqlite store.place
    approvals.answers approvals.granting approvals.inbox page
    hot cold inforce install projects
""")
# Packages that start an agent, and what of them does.
AGENT_SDKS = _words(
    "claude_agent_sdk claude_code_sdk @anthropic-ai/claude-agent-sdk @anthropic-ai/claude-code @openai/codex-sdk"
)
AGENT_CALLS = _words("query ClaudeSDKClient unstable_v2_createSession unstable_v2_prompt Codex")
# They make a socket that has a name in the file system; where the name stands.
BINDS = {
    "bind": 0, "UnixStreamServer": 0, "UnixDatagramServer": 0, "ThreadingUnixStreamServer": 0, "start_unix_server": 1,
    "create_unix_server": 1, "UNIXServer.new": 0, "UNIXServer.open": 0, "listen": 0,
}  # fmt: skip
# They empty a database or a store, whoever's module they are of.
DROPS = _words("""
    drop_all drop_database dropDatabase drop_table drop_collection flushall flushdb flushAll flushDb
""")
# In a module that nobody has described, they run the text that they are given.
RUNS_TEXT = _words("run call shell sh cmd command system popen spawn local sudo getoutput check_output")
# Calls that take one text in a database's language.
QUERIES = _words("execute executemany executescript exec_driver_sql query raw exec unsafe $executeRawUnsafe")
