/**
 * The rules for one action, in either spelling of the proposal (SNAP-G3): exactly one handler, and for each handler the
 * rules for its fields that the schema cannot express.
 */
import {
  checkCommand,
  checkPort,
  checkWord,
} from '../../../controller/definitions/check-values.ts';
import {
  fieldOf,
  type FieldProblem,
  forbidden,
  invalid,
  required,
} from '../../../controller/definitions/field-problem.ts';
import type { HookAction, SessionAction } from '../kinds.ts';
import { STATEMENTS_MAX } from './limits.ts';

const PLAIN = ['exec', 'httpGet', 'tcpSocket'] as const;
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'session'] as const;

/** Checks one action. `field`: the path of the action, "spec.preAction". */
export function checkAction(field: string, action: HookAction): FieldProblem[] {
  const { exec, httpGet, tcpSocket, session } = handlersOf(action);
  const inside = action.action === undefined ? field : fieldOf(field, 'action');
  const problems = checkOneHandler(field, action);
  if (exec !== undefined) problems.push(...checkCommand(`${inside}.exec.command`, exec.command));
  if (httpGet !== undefined) problems.push(...checkHttpGet(`${inside}.httpGet`, httpGet));
  if (tcpSocket !== undefined) {
    problems.push(...checkPort(`${inside}.tcpSocket.port`, tcpSocket.port));
  }
  if (session !== undefined) problems.push(...checkSession(`${field}.session`, session));
  return problems;
}

/** The handlers from both spellings. `checkOneHandler` reports an action that has two. */
export function handlersOf(action: HookAction): Pick<HookAction, (typeof HANDLERS)[number]> {
  const { exec, httpGet, tcpSocket, session } = { ...action, ...action.action };
  return {
    ...(exec === undefined ? {} : { exec }),
    ...(httpGet === undefined ? {} : { httpGet }),
    ...(tcpSocket === undefined ? {} : { tcpSocket }),
    ...(session === undefined ? {} : { session }),
  };
}

function checkOneHandler(field: string, action: HookAction): FieldProblem[] {
  const nested = action.action ?? {};
  const given = [
    ...HANDLERS.filter((name) => action[name] !== undefined),
    ...PLAIN.filter((name) => nested[name] !== undefined).map((name) => `action.${name}`),
  ];
  if (given.length === 1) return [];
  const wanted = 'give exactly one of exec, httpGet, tcpSocket and session';
  if (given.length === 0) return [required(field, wanted)];
  const all = given.join(' and ');
  return [invalid(field, given, `${wanted}: ${all} are given, so remove all but one`)];
}

type HttpGet = NonNullable<HookAction['httpGet']>;

function checkHttpGet(field: string, httpGet: HttpGet): FieldProblem[] {
  const { path, port, httpHeaders = [] } = httpGet;
  const problems = checkPort(`${field}.port`, port);
  if (path !== undefined && /[\0\s]/.test(path)) {
    problems.push(invalid(`${field}.path`, path, 'must be a path without spaces'));
  }
  const headers = httpHeaders.flatMap((header, index) =>
    checkHeader(`${field}.httpHeaders[${index}]`, header),
  );
  return [...problems, ...headers];
}

/** The syntax is "token" and "field-value" of RFC 9110. The message leaves out the value, since it may be a secret. */
function checkHeader(
  field: string,
  { name, value }: NonNullable<HttpGet['httpHeaders']>[number],
): FieldProblem[] {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    return [invalid(`${field}.name`, name, 'must be the name of an HTTP header')];
  }
  if (/^[\t -~\x80-\xff]*$/.test(value)) return [];
  const detail = 'must have no control characters, and only characters up to U+00FF';
  return [invalid(`${field}.value`, `${value.length} characters`, detail)];
}

/** SNAP-R36: the rules for a session. With `client`, freeze and thaw are its input lines; without it, commands. */
function checkSession(field: string, session: SessionAction): FieldProblem[] {
  const { client, freeze, thaw, ready } = session;
  if (client === undefined) {
    const commands = [
      ...checkCommand(`${field}.freeze`, freeze),
      ...checkCommand(`${field}.thaw`, thaw),
    ];
    return [...commands, ...checkNoReady(`${field}.ready`, ready)];
  }
  return [
    ...checkCommand(`${field}.client`, client),
    ...checkStatements(`${field}.freeze`, freeze),
    ...checkStatements(`${field}.thaw`, thaw),
    ...checkReady(`${field}.ready`, ready),
  ];
}

/** The rules for the input lines of a client. */
function checkStatements(field: string, statements: readonly string[]): FieldProblem[] {
  if (statements.every((line) => line.trim() === '')) {
    return [required(field, 'write at least one line for the client')];
  }
  if (statements.length > STATEMENTS_MAX) {
    return [invalid(field, statements.length, `must have at most ${STATEMENTS_MAX} lines`)];
  }
  return statements.flatMap((line, index) => {
    const at = `${field}[${index}]`;
    if (!/[\r\n]/.test(line)) return checkWord(at, line);
    return [invalid(at, line, 'must be one line; make each line an item of the list')];
  });
}

function checkReady(field: string, ready: string | undefined): FieldProblem[] {
  if (ready === undefined || ready.trim() === '') {
    const detail =
      'with a client, ready is required: the line of its output that confirms the freeze, printed by the last line of freeze';
    return [required(field, detail)];
  }
  return /[\r\n\0]/.test(ready) ? [invalid(field, ready, 'must be one line')] : [];
}

function checkNoReady(field: string, ready: string | undefined): FieldProblem[] {
  if (ready === undefined) return [];
  const detail =
    'only a client prints such a line: add client, or remove ready, since the exit code of freeze confirms it';
  return [forbidden(field, detail)];
}
