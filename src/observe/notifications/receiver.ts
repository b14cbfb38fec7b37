/**
 * Where notifications are sent: the keys of the Secret or of the file that an operator writes. Pure. The address may
 * contain a secret, as that of Slack does: no message of ours quotes it (ENG-N3).
 */
import { LifehookError } from '../../model/problem.ts';
import { makeTemplate, type Template } from './template.ts';

export interface Receiver {
  readonly url: string;
  /** Signing keys: several while a receiver changes from one to the other. Empty: requests are not signed. */
  readonly keys: readonly Uint8Array[];
  /** The header Authorization; null: there is none. */
  readonly authorization: string | null;
  /** null: CloudEvents. */
  readonly template: Template | null;
}

const KEYS = ['url', 'secret', 'authorization', 'template'];
const KEY_BYTES = { least: 24, most: 64 };

/** Throws LHK109. `source`: where the values are from, for messages: "Secret hooks/receiver". */
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

/** `whsec_` and base64, as Standard Webhooks writes it. */
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
  return new LifehookError({ code: 'LHK109', severity: 'error', message, next });
}
