/** Bodies for receivers that read no CloudEvents: Slack, or JSON in which names in braces are replaced. Pure. */
import type { Message } from './message.ts';

export interface Template {
  readonly fill: (message: Message) => string;
}

/** `slack`, or JSON with `{{message}}` in it. */
export function makeTemplate(text: string): Template | { readonly problem: string } {
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

/** Without the quotes: the template has them. */
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

/** Text of users, such as the output of a hook, must not mention a channel: Slack does so at `<!channel>`. */
function slackText({ state, source, text }: Message): string {
  const escaped = `${text} (${source})`.replaceAll(
    /[&<>]/gu,
    (found) => SLACK_ESCAPES[found] ?? '',
  );
  return `${STATES[state]}: ${escaped}`;
}
