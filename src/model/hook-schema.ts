import * as z from 'zod';

import { parseExpectedStatus } from './expected-status.ts';
import type { ExecHandler, Handler, Hook, HookPolicy, HttpGetHandler, Source } from './hook.ts';
import { hookProblems } from './hook-problems.ts';
import type { Problem } from './problem.ts';

/**
 * The result of parsing a hook from its written form. This file loads zod, which takes longer than the rest of a start.
 * Import it where a hook is read, not at the top of the program.
 */
export type ParsedHook =
  | { readonly kind: 'hook'; readonly hook: Hook }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] };

export interface ParseOptions {
  readonly source: Source;
  readonly defaults: HookPolicy;
}

export function parseHook(value: unknown, { source, defaults }: ParseOptions): ParsedHook {
  const parsed = hookSchema.safeParse(value);
  if (!parsed.success) {
    const issues = parsed.error.issues;
    return { kind: 'problems', problems: hookProblems({ issues, value, source, knownKeys }) };
  }
  const { name, handler, timeoutSeconds, retry, failurePolicy } = parsed.data;
  const hook: Hook = {
    name,
    handler: toHandler(handler),
    policy: {
      timeoutSeconds: timeoutSeconds ?? defaults.timeoutSeconds,
      retry: {
        limit: retry?.limit ?? defaults.retry.limit,
        backoffSeconds: retry?.backoffSeconds ?? defaults.retry.backoffSeconds,
      },
      failurePolicy: failurePolicy ?? defaults.failurePolicy,
    },
    source,
  };
  return { kind: 'hook', hook };
}

/** One week. A hook with a longer timeout is a mistake. */
const hookSecondsMax: number = 7 * 24 * 3600;
/** The longest pause of the engine: `makePlan` refuses a longer one. */
const backoffSecondsMax = 300;
const retryLimitMax = 100;
/** Maximum length of a DNS name. It also limits the names of hooks, since they become parts of object names. */
const nameLengthMax = 253;
/** Maximum length of a DNS label. */
const containerLengthMax = 63;
const argumentsMax = 1000;
/** Linux accepts 128 KiB for one argument, its closing NUL included. */
const argumentLengthMax = 128 * 1024 - 1;
const pathLengthMax = 4096;
const headersMax = 64;
const headerLengthMax = 8192;
const portMax = 65_535;

/** Gives a part one message, whichever of its rules is violated. */
function required(sentence: string): { error: string } {
  return { error: sentence };
}

function limitedText(what: string, lengthMax: number, pattern: RegExp): z.ZodString {
  const rule = required(`${what}, at most ${lengthMax} characters`);
  return z.string(rule).max(lengthMax, rule).regex(pattern, rule);
}

function seconds(max: number, above: 'from' | 'above'): z.ZodNumber {
  const rule = required(`a number of seconds ${above} 0, at most ${max}`);
  const number = z.number(rule).max(max, rule);
  return above === 'from' ? number.min(0, rule) : number.gt(0, rule);
}

function integer(what: string, min: number, max: number): z.ZodNumber {
  const rule = required(`${what} from ${min} to ${max}`);
  return z.number(rule).int(rule).min(min, rule).max(max, rule);
}

const noNul = /^[^\0]*$/;
const host = limitedText('a host name or an address', nameLengthMax, /^[^\s/?#@\0]+$/);
const port = integer('a port number', 1, portMax);

const commandRule = required(
  `a list of 1 to ${argumentsMax} strings: the program and its arguments`,
);
const argument = limitedText('a string without NUL characters', argumentLengthMax, noNul);
const commandSchema = z
  .array(argument, commandRule)
  .min(1, commandRule)
  .max(argumentsMax, commandRule)
  .refine((command) => command[0] !== '', required('a list whose first string names a program'));

const containerRule =
  'a container name of lower-case letters, digits and "-", with a letter or digit at both ends';
const execSchema = z.strictObject(
  {
    command: commandSchema,
    container: limitedText(
      containerRule,
      containerLengthMax,
      /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
    ).optional(),
  },
  required('an object with a command'),
);

const headersRule = required(`a list of at most ${headersMax} headers with a name and a value`);
const headerSchema = z.strictObject(
  {
    // The grammar of RFC 9110: "token" for the name, "field-value" for the value.
    name: limitedText('a header name', headerLengthMax, /^[\w!#$%&'*+.^`|~-]+$/),
    value: limitedText(
      'a header value without control characters',
      headerLengthMax,
      /^[\t -~\x80-\xff]*$/,
    ),
  },
  headersRule,
);

const expectRule = required('statuses such as "2xx", "204", "200-299" or "200,204"');
const httpGetSchema = z.strictObject(
  {
    path: limitedText('a path', pathLengthMax, /^[^\0\s]*$/).optional(),
    port,
    host: host.optional(),
    scheme: z.enum(['HTTP', 'HTTPS'], required('"HTTP" or "HTTPS"')).optional(),
    httpHeaders: z.array(headerSchema, headersRule).max(headersMax, headersRule).optional(),
    expect: z
      .string(expectRule)
      .refine((expected) => parseExpectedStatus(expected) !== null, expectRule)
      .optional(),
  },
  required('an object with a port'),
);

const tcpSocketSchema = z.strictObject(
  { port, host: host.optional() },
  required('an object with a port'),
);
const sleepSchema = z.strictObject(
  { seconds: seconds(hookSecondsMax, 'from') },
  required('an object with seconds'),
);

const handlerRule = required('exactly one of command, exec, httpGet, tcpSocket and sleep');
const handlerSchema = z
  .strictObject(
    {
      command: commandSchema.optional(),
      exec: execSchema.optional(),
      httpGet: httpGetSchema.optional(),
      tcpSocket: tcpSocketSchema.optional(),
      sleep: sleepSchema.optional(),
    },
    handlerRule,
  )
  .refine((handler) => Object.keys(handler).length === 1, handlerRule);

const retrySchema = z.strictObject(
  {
    limit: integer('a whole number', 0, retryLimitMax).optional(),
    backoffSeconds: seconds(backoffSecondsMax, 'from').optional(),
  },
  required('an object with limit and backoffSeconds'),
);

const nameRule = 'a name of letters, digits, ".", "_" and "-", with a letter or digit first';
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const hookSchema = z.strictObject(
  {
    name: limitedText(nameRule, nameLengthMax, namePattern),
    handler: handlerSchema,
    timeoutSeconds: seconds(hookSecondsMax, 'above').optional(),
    retry: retrySchema.optional(),
    failurePolicy: z
      .enum(['Abort', 'Ignore', 'Retry'], required('"Abort", "Ignore" or "Retry"'))
      .optional(),
  },
  required('an object with a name and a handler'),
);

/** The permitted keys of each object, by its path without list indexes. */
const knownKeys: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(hookSchema.shape),
  handler: Object.keys(handlerSchema.shape),
  'handler.exec': Object.keys(execSchema.shape),
  'handler.httpGet': Object.keys(httpGetSchema.shape),
  'handler.httpGet.httpHeaders': Object.keys(headerSchema.shape),
  'handler.tcpSocket': Object.keys(tcpSocketSchema.shape),
  'handler.sleep': Object.keys(sleepSchema.shape),
  retry: Object.keys(retrySchema.shape),
};

/** The host of a hook that names none: the machine on which the hook runs. */
const ownHost = 'localhost';

function toHandler(written: z.infer<typeof handlerSchema>): Handler {
  const { command, exec, httpGet, tcpSocket, sleep } = written;
  if (command !== undefined) return { kind: 'command', command };
  if (exec !== undefined) return toExec(exec);
  if (httpGet !== undefined) return toHttpGet(httpGet);
  if (tcpSocket !== undefined) {
    return { kind: 'tcpSocket', host: tcpSocket.host ?? ownHost, port: tcpSocket.port };
  }
  return { kind: 'sleep', seconds: sleep?.seconds ?? 0 };
}

function toExec({ command, container }: z.infer<typeof execSchema>): ExecHandler {
  return { kind: 'exec', command, ...(container === undefined ? {} : { container }) };
}

function toHttpGet(written: z.infer<typeof httpGetSchema>): HttpGetHandler {
  return {
    kind: 'httpGet',
    scheme: written.scheme ?? 'HTTP',
    host: written.host ?? ownHost,
    port: written.port,
    path: written.path ?? '/',
    httpHeaders: written.httpHeaders ?? [],
    ...(written.expect === undefined ? {} : { expect: written.expect }),
  };
}
