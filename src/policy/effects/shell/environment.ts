/** Variables that decide which program runs, or that programs run as code. */
const POISON = new Set(
  (
    "PATH LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH BASH_ENV ENV PROMPT_COMMAND PS0 PS4 " +
    "SHELLOPTS BASHOPTS PAGER MANPAGER LESSOPEN LESSCLOSE LESS EDITOR VISUAL BROWSER SUDO_EDITOR SYSTEMD_EDITOR FCEDIT " +
    "RSYNC_RSH RSYNC_CONNECT_PROG TAR_OPTIONS TAPE ZIPOPT UNZIP GZIP RIPGREP_CONFIG_PATH GREP_OPTIONS " +
    "PERL5OPT PERL5LIB PERLLIB PERL5DB PYTHONPATH PYTHONSTARTUP PYTHONHOME PYTHONINSPECT NODE_OPTIONS NODE_PATH RUBYOPT RUBYLIB " +
    "JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS MAKEFLAGS MAKEFILES GOFLAGS RUSTC_WRAPPER CARGO_BUILD_RUSTC_WRAPPER " +
    "CURL_HOME WGETRC INPUTRC PSQLRC SQLITE_HISTORY VIMINIT EXINIT AWKPATH AWKLIBPATH HISTFILE COMSPEC ZDOTDIR " +
    "CC CXX NPM_CONFIG_SCRIPT_SHELL npm_config_script_shell PIP_CONFIG_FILE OPENSSL_CONF SSH_ASKPASS SUDO_ASKPASS " +
    "HERMES_CONFIG KUBECONFIG DOCKER_HOST DOCKER_CONFIG"
  ).split(" "),
);

/** Variables that only change programs whose doings cannot be seen anyway, such as a language's interpreter. */
const FOREIGN =
  /^(?:PERL|PYTHON|NODE_|RUBY|JAVA_|_JAVA_|JDK_JAVA_|MAKE|GO|RUSTC_|CARGO_|CC$|CXX$|NPM_|npm_|PIP_|KUBECONFIG$|DOCKER_|HERMES_|HIST|SQLITE_|PSQLRC$|INPUTRC$|VIMINIT$|EXINIT$)/;

/** Git variables that only label a commit or quieten the program. */
const PLAIN_GIT = new Set([
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_AUTHOR_DATE",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
  "GIT_COMMITTER_DATE",
  "GIT_TERMINAL_PROMPT",
  "GIT_OPTIONAL_LOCKS",
  "GIT_PAGER_IN_USE",
  "GIT_LITERAL_PATHSPECS",
]);

/** Values with which a pager or an editor is as harmless as the program that asks for it. */
const PLAIN_HELPERS =
  /^(?:|cat|less(?: -[A-Za-z]+)?|more|true|:|vi|vim|nvim|nano|emacs|code --wait|\/bin\/(?:cat|true))$/;

/** True when assigning the variable can change what a later, harmless-looking command runs. */
export function isPoison(name: string, value: string | null): boolean {
  if (/(?:PAGER|EDITOR|VISUAL)$/.test(name) && value !== null && PLAIN_HELPERS.test(value)) return false;
  return (
    POISON.has(name) || (name.startsWith("GIT_") && !PLAIN_GIT.has(name)) || name.startsWith("BASH_FUNC_")
  );
}

/** True when the variable changes what programs do whose doings are otherwise known: `ls` may be another `ls` then. */
export function redefinesPrograms(name: string): boolean {
  return !FOREIGN.test(name);
}
