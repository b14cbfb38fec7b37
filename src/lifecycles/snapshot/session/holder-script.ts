/**
 * The session helper: holds a freeze in a container, and thaws it there by itself. It is POSIX sh with builtins only
 * (and `sleep` if it exists), since an image may have nothing else. It writes no file and syncs nothing, since the file
 * system may be frozen.
 *
 *  SNAP-H1 Nothing starts before the nonce has arrived on the input, so a connection without a controller freezes
 *     nothing.
 *  SNAP-H2 Parameters are passed as arguments and are never part of the script's text.
 *  SNAP-H3 The standard output carries only reports, each after the nonce; the application's output goes to the
 *     standard error. So the application can neither forge a report nor delay it by a flood of output.
 *  SNAP-H4 A freeze that was started is thawed on each of these: `thaw` or `abort` on the input, the end of the input,
 *     `window` seconds without a renewal, `longest` seconds in all, a failed freeze, the death of any part of the helper,
 *     TERM, HUP or INT to its first process or to its group.
 *  SNAP-H5 A hanging freeze is stopped (TERM, then KILL) before the thaw; a client that does not execute its thaw in
 *     time is stopped, which ends its session. Signals are sent to the group only if it is our own.
 *  SNAP-H6 Processes that read input ignore signals, since a signal interrupts a read of the busybox ash. Processes
 *     that start the application's programs trap signals, so that the programs get the default handling. The first
 *     process passes a request to stop to `attend` as USR2, which all others ignore, and `attend` passes it on as an
 *     ordinary line. `attend` is ready for that before the freeze starts; a shell may lose an earlier signal while it
 *     starts others. `rescue` thaws if `hold` dies, which the end of its input shows. It does not `wait` for `hold`: a
 *     bash that gets a signal while it collects a child loses its exit code, and each later `wait` for it returns -1.
 *  SNAP-H7 No input is lost, in whatever pieces it arrives. If its time ends within a line, `read -t` drops (busybox)
 *     or splits (bash) the line, so one character is read at a time. In bash, `read` may fail although it has set the
 *     variable. No second is counted while characters arrive. So a line longer than any of ours counts as the end of
 *     the input, and so do many lines in a row that carry no time.
 *
 * Input, one line each: `renew SECONDS` (since the start, as we count them), `thaw`, `abort` (the freeze took too long:
 * thaw, and stop whatever does not end).
 * After the last report follows the nonce on the standard error: all output came before it.
 * Reports: `timing read|sleep|eof`, `alive` (after each `renew`), `frozen`, `failed CODE`, `thawing CAUSE`, `thawed
 * CODE`, `ended CODE` (the client), `killed`; see `holder-report.ts`.
 *
 *   attend, listen ──lines, ticks──> hold ──thawed──> rescue  (commands; the freeze reports its end in the same pipe)
 *   attend, listen ──lines, ticks──> feed ──statements──> run (a client)
 */

/** Seconds that a client has for its thaw before TERM, which ends its session. KILL follows 2 s later. */
export const clientGraceSeconds = 10;

/** Characters of the recorded prior state. A pipe takes up to 4096 bytes in one write; a character has up to 4. */
export const priorCharactersMax = 1000;

/** Characters of an input line. The longest line that we send is a renewal with its seconds. */
const lineCharactersMax = 40;

/** Lines that may arrive within one counted second; we send at most three, with the shortest window. */
const uncountedLinesMax = 20;

/** Reads the script up to the line that repeats the nonce. Everything else is passed as arguments. */
export const holderBootstrap: string = [
  // Inside double quotes a newline is literal.
  'IFS= read -r nonce || exit 3',
  'script=',
  'while IFS= read -r line; do [ "$line" = "$nonce" ] && break; script="$script$line\n"; done',
  '[ "$line" = "$nonce" ] || exit 3',
  'eval "$script"',
].join('; ');

const listening = `
tell() { printf '%s\\n' "$1" 2>/dev/null; }
say() { printf '%s %s\\n' "$nonce" "$*" >&3 2>/dev/null; }
say_last() { say "$@"; printf '\\n%s\\n' "$nonce" >&2 2>/dev/null; }
signal_group() { kill -0 "-$$" 2>/dev/null && kill "-$1" "-$$" 2>/dev/null; }
await() {
  while :; do
    woken=
    wait "$1"; code=$?
    [ "$code" -gt 128 ] || return "$code"
    [ -n "$woken" ] || kill -0 "$1" 2>/dev/null || return "$code"
  done
}
attend() {
  listen <&5 &
  await $!
}
count_line() {
  lines=$((lines + 1))
  case $1 in
  tick) lines=0 ;;
  'renew '*) [ "\${1#renew }" -gt "$counted" ] 2>/dev/null && lines=0 counted=\${1#renew } ;;
  esac
}
listen() {
  trap '' TERM HUP INT PIPE USR1 USR2
  case $timing in
  read)
    part= pending=no lines=0 counted=0
    while :; do
      character=
      if IFS= read -r -t 1 -n 1 character || [ -n "$character" ]; then
        pending=no
        if [ -z "$character" ]; then
          tell "$part" || return
          count_line "$part"
          [ "$lines" -lt ${uncountedLinesMax} ] || break
          part=
        elif [ "\${#part}" -lt ${lineCharactersMax} ]; then part=$part$character
        else break; fi
      elif [ "$pending" = yes ]; then break
      elif read -t 0 line; then pending=yes
      else lines=0; tell tick || return; fi
    done
    tell eof || return
    command -v sleep >/dev/null || return
    while sleep 1 || sleep 1; do tell tick || return; done ;;
  sleep)
    { while IFS= read -r line; do tell "$line" || exit; done; tell eof; } <&5 &
    reader=$!
    while sleep 1 || sleep 1; do tell tick || break; done
    kill -KILL "$reader" 2>/dev/null ;;
  eof)
    while IFS= read -r line; do tell "$line" || return; done
    tell eof ;;
  esac
}
note() {
  case $1 in
  tick) silent=$((silent + 1)); age=$((age + 1)) ;;
  'renew '*)
    silent=0
    [ "\${1#renew }" -gt "$age" ] 2>/dev/null && age=\${1#renew }
    say alive ;;
  thaw) cause=\${cause:-asked} ;;
  abort) cause=\${cause:-aborted} ;;
  eof) cause=\${cause:-eof} ;;
  term) cause=\${cause:-terminated} ;;
  esac
  [ -z "$cause" ] || return 0
  if [ "$silent" -ge "$window" ]; then cause=silence
  elif [ "$longest" -gt 0 ] && [ "$age" -ge "$longest" ]; then cause=expiry; fi
}
`;

/** The traps of the process that starts the freeze. It sets them before the freeze starts. */
const onStop = "trap '' PIPE USR1; trap 'woken=yes; tell term' TERM HUP INT USR2";

/** The functions for a session whose `freeze` and `thaw` are commands. */
const commands = `
freeze() {
  trap '' USR2
  trap : TERM HUP INT PIPE USR1
  {
    blows=0
    trap 'blows=$((blows + 1)); [ "$blows" -lt 2 ] || kill -KILL "$pid" 2>/dev/null' TERM
    "$@" </dev/null 3>&- 4>&- 5<&- &
    pid=$!
    wait "$pid"; code=$?
    while [ "$code" -gt 128 ] && kill -0 "$pid" 2>/dev/null; do wait "$pid"; code=$?; done
    printf '\\n%s %s\\n' "$nonce" "$code"
  } | {
    trap '' TERM HUP INT PIPE USR1
    prior= code=125
    while IFS= read -r line || [ -n "$line" ]; do
      case $line in
      "$nonce "*) code=\${line#"$nonce "}; break ;;
      '') ;;
      *) prior=$line; printf '%s\\n' "$line" >&2 ;;
      esac
    done
    printf 'frozen %s %.${priorCharactersMax}s\\n' "$code" "$prior" >&4
  }
}
undo() {
  tries=0
  while :; do
    "$@" </dev/null 3>&- 5<&- 6>&-; code=$?
    tries=$((tries + 1))
    if [ "$code" -eq 0 ] || [ "$tries" -ge 3 ]; then return 0; fi
    sleep 1 2>/dev/null || return 0
  done
}
hold() {
  trap '' TERM HUP INT PIPE USR1
  cause= silent=0 age=0 over= told= waited=0
  while IFS= read -r event; do
    case $event in
    'frozen '*)
      over=yes event=\${event#frozen }
      LIFEHOOK_PRIOR=\${event#* }
      export LIFEHOOK_PRIOR
      if [ "\${event%% *}" -ne 0 ]; then say failed "\${event%% *}"; cause=\${cause:-failed}
      elif [ -z "$cause" ]; then say frozen; fi ;;
    *) note "$event" ;;
    esac
    [ -n "$cause" ] || continue
    [ -n "$told" ] || { told=yes; say thawing "$cause"; }
    [ -z "$over" ] || break
    [ "$waited" -eq 0 ] || [ "$event" = tick ] || continue
    case $waited in
    0 | 2) signal_group TERM ;;
    4) break ;;
    esac
    [ "$timing" != eof ] || break
    waited=$((waited + 1))
  done
  [ -n "$told" ] || say thawing "\${cause:=eof}"
  case $cause in asked | aborted | failed) ;; *) exec >/dev/null 2>&1 ;; esac
  trap : TERM HUP INT PIPE USR1
  undo "$@"
  say_last thawed "$code"
  echo thawed >&6
  [ -n "$over" ] || signal_group KILL
  exit 0
}
rescue() {
  trap '' TERM HUP INT PIPE USR1
  read -r word
  [ "$word" != thawed ] || return 0
  trap : TERM HUP INT PIPE USR1
  say thawing eof
  undo "$@" >/dev/null 2>&1
  say_last thawed "$code"
}
hold_commands() {
  count=$1
  shift
  {
    ${onStop}
    {
      index=0 total=$#
      while [ "$index" -lt "$total" ]; do
        [ "$index" -lt "$count" ] && set -- "$@" "$1"
        shift
        index=$((index + 1))
      done
      freeze "$@" 4>&1 </dev/null &
    }
    attend
  } | {
    shift "$count"
    hold "$@" 6>&1 >&2
  } | {
    shift "$count"
    rescue "$@"
  } &
  await $!
}
`;

/** The functions for a session with a `client`, which keeps running and reads lines of input. */
const clients = `
feed() {
  trap '' TERM HUP INT PIPE
  trap 'exit 0' USR1
  cause= silent=0 age=0 waited=0
  IFS= read -r event
  tell "$freeze_lines"
  while IFS= read -r event; do
    note "$event"
    [ -z "$cause" ] || break
  done
  say thawing "\${cause:=eof}"
  tell "$thaw_lines"
  exec >&2
  grace=${clientGraceSeconds}
  [ "$cause" != aborted ] || grace=1
  while IFS= read -r event; do
    [ "$event" = tick ] || continue
    waited=$((waited + 1))
    [ "$waited" -ne "$grace" ] || signal_group TERM
    [ "$waited" -ne $((grace + 2)) ] || { say_last killed; signal_group KILL; exit 0; }
  done
}
run_client() {
  trap : TERM HUP INT PIPE USR1
  "$@" 3>&- 5<&-
  say_last ended $?
  signal_group USR1
}
hold_client() {
  freeze_lines=$1 thaw_lines=$2
  shift 2
  { ${onStop}; tell ready; attend; } | feed | run_client "$@" &
  await $!
}
`;

const beginning = `
kind=$1 window=$2 longest=$3
shift 3
exec 3>&1 1>&2 5<&0
trap '' USR2
trap woken=yes PIPE USR1
trap 'woken=yes; signal_group USR2' TERM HUP INT
if [ -z "$( { read -t 0 -n 1 line </dev/null; } 2>&1)" ]; then timing=read
elif command -v sleep >/dev/null; then timing=sleep
else timing=eof; fi
say timing "$timing"
case $kind in
client) hold_client "$@" ;;
commands) hold_commands "$@" ;;
esac
`;

/** The script that the bootstrap reads and runs; none of its lines can equal the nonce. */
export const holderScript: string = `${listening}${commands}${clients}${beginning}`;
