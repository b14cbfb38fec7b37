/**
 * The rules for one action, in either spelling of the proposal (SNAP-G3): exactly one handler, and valid fields of each
 * handler.
 */
import {
  checkCommand,
  checkPort,
  checkSeconds,
} from '../../../controller/definitions/check-values.ts';
import {
  fieldOf,
  type FieldProblem,
  invalid,
  notSupported,
  required,
} from '../../../controller/definitions/field-problem.ts';
import type { HookAction } from '../action-kinds.ts';
import { checkSession } from './check-session.ts';
import {
  ACTION_SECONDS_MAX,
  HEADER_CHARACTERS_MAX,
  HEADERS_MAX,
  PATH_CHARACTERS_MAX,
} from './limits.ts';

const PLAIN = ['exec', 'httpGet', 'tcpSocket'] as const;
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'session'] as const;

/** `field`: the path of the action, "spec.preAction". */
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
  const bounds = { min: 1, max: ACTION_SECONDS_MAX };
  const timeout = fieldOf(field, 'actionTimeoutSeconds');
  problems.push(...checkSeconds(timeout, action.actionTimeoutSeconds, bounds));
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
  const { path, port, scheme, httpHeaders = [] } = httpGet;
  const problems = checkPort(`${field}.port`, port);
  if (path !== undefined && (path.length > PATH_CHARACTERS_MAX || /[\0\s]/.test(path))) {
    const detail = `must be a path without blanks of at most ${PATH_CHARACTERS_MAX} characters`;
    problems.push(invalid(`${field}.path`, path, detail));
  }
  if (scheme !== undefined && !['HTTP', 'HTTPS'].includes(scheme)) {
    problems.push(notSupported(`${field}.scheme`, scheme, ['HTTP', 'HTTPS']));
  }
  if (httpHeaders.length > HEADERS_MAX) {
    const detail = `must have at most ${HEADERS_MAX} headers`;
    problems.push(invalid(`${field}.httpHeaders`, httpHeaders.length, detail));
  }
  const headers = httpHeaders.flatMap((header, index) =>
    checkHeader(`${field}.httpHeaders[${index}]`, header),
  );
  return [...problems, ...headers];
}

/** RFC 9110, "token" and "field-value". The message does not contain the value: it may be a secret. */
function checkHeader(
  field: string,
  { name, value }: NonNullable<HttpGet['httpHeaders']>[number],
): FieldProblem[] {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    return [invalid(`${field}.name`, name, 'must be the name of an HTTP header')];
  }
  const good = /^[\t -~\x80-\xff]*$/.test(value) && value.length <= HEADER_CHARACTERS_MAX;
  const detail = `must have no control characters, and at most ${HEADER_CHARACTERS_MAX} characters`;
  return good ? [] : [invalid(`${field}.value`, `${value.length} characters`, detail)];
}
