import { describe, expect, it } from 'vitest';

import type { Message } from './message.ts';
import { messageOf, requestOf } from './message.ts';
import { receiverOf } from './receiver.ts';

const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const url = 'https://hooks.example.com/services/path-secret';

describe('receiverOf', () => {
  it('reads url, keys and headers', () => {
    const values = { url: ` ${url}\n`, secret: `${secret}\n`, authorization: 'Bearer t\n' };
    expect(receiverOf(values, 'Secret a/b')).toEqual({
      url,
      keys: [new Uint8Array(24).fill(1)],
      authorization: 'Bearer t',
      template: null,
    });
  });

  it.each([
    [{ secret }, 'has no valid `url`'],
    [{ url: 'ftp://path-secret', secret }, 'has no valid `url`'],
    [{ url: 'https://u:path-secret@example.com', secret }, 'with a user or a password'],
    [{ url }, 'has no key `secret`'],
    [{ url, secret: 'path-secret' }, 'has a `secret` that is not whsec_'],
    [{ url, secret: 'whsec_AAAA' }, 'the base64 of 24 to 64 bytes'],
    [{ url, secret, token: 'path-secret' }, 'has unknown keys: token'],
    [{ url, template: '{"a": {{message}}}' }, 'has a `template` that is not JSON'],
    [{ url, template: '{"a": "{{constructor}}"}' }, 'has an unknown name: {{constructor}}'],
  ])('refuses %j with LHK109, and quotes no secret (ENG-N3)', (values, what) => {
    const read = (): unknown => receiverOf(values, 'Secret a/b');
    expect(read).toThrow(`LHK109: Notifications cannot be sent: Secret a/b `);
    expect(read).toThrow(what);
    expect(read).not.toThrow('path-secret');
  });
});

const message: Message = {
  id: 'i',
  type: 'verdict.missed',
  source: '/lifehook',
  subject: 'shop/s',
  atMs: 0,
  state: 'open',
  problem: 'p',
  text: 'a "b"\n <!channel> & {{id}}',
  event: { lifecycle: 'snapshot', target: {}, point: null, run: 'r' },
};

const bodyFor = (template: string, change: Partial<Message> = {}): unknown =>
  JSON.parse(requestOf({ ...message, ...change }, receiverOf({ url, template }, ''), 0).body);

describe('a template', () => {
  it('for Slack has one text, in which no text of a user mentions a channel (ENG-N3)', () => {
    expect(bodyFor('slack')).toEqual({
      text: ':red_circle: Problem: a "b"\n &lt;!channel&gt; &amp; {{id}} (/lifehook)',
    });
    expect(bodyFor('slack', { state: 'clear', text: 'b' })).toEqual({
      text: ':large_green_circle: OK: b (/lifehook)',
    });
  });

  it('gets the values as JSON text, and replaces no names in them', () => {
    const template = '{"content": "{{ type }}: {{message}}", "at": "{{time}}"}';
    expect(bodyFor(template)).toEqual({
      content: `verdict.missed: ${message.text}`,
      at: '1970-01-01T00:00:00.000Z',
    });
  });

  it('needs no key: then the request is not signed', () => {
    const receiver = receiverOf({ url, template: 'slack' }, '');
    expect(requestOf(message, receiver, 0).headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': 'i',
      'webhook-timestamp': '0',
    });
  });
});

it('masks secrets in the text, and limits its length (ENG-N3)', () => {
  const envelope = { lifecycle: 'pod', target: {}, point: null, run: 'r', attempt: 1 } as const;
  const fact = { id: 'i', problem: 'p', state: 'open' } as const;
  const said = (text: string): string => {
    const notification = { id: 'n', type: 'run.failed', problem: 'p', state: 'open' } as const;
    const event = { ...envelope, atMs: 0 };
    return messageOf(event, { ...notification, message: text }, { fact, source: '' }).text;
  };
  expect(said('curl https://u:hunter2@db failed')).not.toContain('hunter2');
  expect(said('x'.repeat(2_000)).length).toBe(1_024);
  // Half a character is refused as JSON by some receivers.
  expect(said(`x${'😀'.repeat(1_000)}`)).toMatch(/^x😀{511}…$/u);
  expect(said('😀'.repeat(1_000))).toMatch(/^😀{511}…$/u);
});
