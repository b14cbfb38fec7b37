/**
 * Reads where notifications are sent, from the keys of the Secret or the file that an operator writes. Pure. The
 * address may contain a secret, as an address of Slack does, so no message of ours quotes it (ENG-N3).
 */
import { LifehookError } from '../../model/problem.ts';
import type { Message } from './message.ts';

export interface Receiver {
  readonly url: string;
  /** Signing keys; there are several while a receiver changes its key. Empty: requests are not signed. */
  readonly keys: readonly Uint8Array[];
  /** Value of the header Authorization; null: the header is not sent. */
  readonly authorization: string | null;
  /** Makes the body of a request; null: the body is a CloudEvent. */
  readonly template: Template | null;
}

const KEYS = ['url', 'secret', 'authorization', 'template'];
const KEY_BYTES = { least: 24, most: 64 };

/** Throws LHK109 for invalid values. `source` says where the values are from, for messages: "Secret hooks/receiver". */
export function receiverOf(values: Readonly<Record<string, string>>, source: string): Receiver {
  const unknown = Object.keys(values).filter((name) => !KEYS.includes(name));
  if (unknown.length > 0) {
    throw invalid(
      source,
      `has unknown keys: ${unknown.join(', ')}`,
      `Use only ${KEYS.join(', ')}.`,
    );
  }
  const { url = '', secret = '', authorization, template } = trimmed(values);
  const keys = secret === '' ? [] : secret.split(/\s+/u).map((text) => keyOf(text, source));
  const shape = template === undefined ? null : templateOf(template, source);
  if (keys.length === 0 && shape === null) {
    const next = 'Add one: `echo "whsec_$(openssl rand -base64 32)"`.';
    throw invalid(source, 'has no key `secret`, with which CloudEvents are signed', next);
  }
  return { url: urlOf(url, source), keys, authorization: authorization ?? null, template: shape };
}

function trimmed(values: Readonly<Record<string, string>>): Partial<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]));
}

function urlOf(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    const next = 'Write the address of the receiver, such as https://hooks.example.com/lifehook.';
    throw invalid(source, 'has no valid `url`', next);
  }
  if (url.username !== '' || url.password !== '') {
    const next = 'Write the header in the key `authorization` instead.';
    throw invalid(source, 'has a `url` with a user or a password', next);
  }
  return url.href;
}

/** Reads a key in the format of Standard Webhooks: `whsec_` and base64. */
function keyOf(text: string, source: string): Uint8Array {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/u.exec(text)?.[1] ?? '';
  const key = Uint8Array.from(atobOrNone(encoded), (character) => character.charCodeAt(0));
  if (key.length >= KEY_BYTES.least && key.length <= KEY_BYTES.most) return key;
  const next = 'Make one: `echo "whsec_$(openssl rand -base64 32)"`.';
  const wanted = `whsec_ and the base64 of ${KEY_BYTES.least} to ${KEY_BYTES.most} bytes`;
  throw invalid(source, `has a \`secret\` that is not ${wanted}`, next);
}

function atobOrNone(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}

function templateOf(text: string, source: string): Template {
  const made = makeTemplate(text);
  if (!('problem' in made)) return made;
  const next = 'Write slack, or JSON with {{message}} in it: {"content": "{{message}}"}.';
  throw invalid(source, `has a \`template\` that ${made.problem}`, next);
}

function invalid(source: string, what: string, next: string): LifehookError {
  const message = `Notifications cannot be sent: ${source} ${what}.`;
  return new LifehookError({ code: 'LHK109', message, next });
}

/** The body for a receiver that does not read CloudEvents: for Slack, or JSON in which names in braces are replaced. */
interface Template {
  readonly fill: (message: Message) => string;
}

/** Makes a template from `slack`, or from JSON with `{{message}}` in it. */
function makeTemplate(text: string): Template | { readonly problem: string } {
  if (text === 'slack') return { fill: (message) => JSON.stringify({ text: slackText(message) }) };
  const unknown = [...text.matchAll(NAME)].flatMap(([, name = '']) =>
    Object.hasOwn(NAMES, name) ? [] : name,
  );
  if (unknown.length > 0) return { problem: `has an unknown name: {{${unknown[0]}}}` };
  const fill = (message: Message): string =>
    text.replaceAll(NAME, (_, name: string) => jsonText(NAMES[name]?.(message) ?? ''));
  return isJson(fill(SAMPLE)) ? { fill } : { problem: 'is not JSON' };
}

const NAME = /\{\{\s*(\w+)\s*\}\}/gu;

const NAMES: Readonly<Record<string, (message: Message) => string>> = {
  id: ({ id }) => id,
  type: ({ type }) => type,
  source: ({ source }) => source,
  subject: ({ subject }) => subject,
  time: ({ atMs }) => new Date(atMs).toISOString(),
  state: ({ state }) => state,
  problem: ({ problem }) => problem,
  message: ({ text }) => text,
};

const SAMPLE: Message = {
  id: 'id',
  type: 'thaw.overdue',
  source: '/lifehook',
  subject: 'shop',
  atMs: 0,
  state: 'open',
  problem: 'thaw',
  text: 'a "quoted" text',
  event: { lifecycle: 'snapshot', target: {}, point: null, run: 'shop' },
};

/** The JSON text of a string without its quotes, which the template already has. */
function jsonText(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const STATES = { open: ':red_circle: Problem', clear: ':large_green_circle: OK' } as const;
const SLACK_ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * The text for Slack. Text of users, such as the output of a hook, must not notify a whole channel with `<!channel>`.
 */
function slackText({ state, source, text }: Message): string {
  const escaped = `${text} (${source})`.replaceAll(
    /[&<>]/gu,
    (found) => SLACK_ESCAPES[found] ?? '',
  );
  return `${STATES[state]}: ${escaped}`;
}
