import { beforeEach, describe, expect, it, vi } from 'vitest';

import type * as Secrets from './secrets.ts';

let looksSecret: typeof Secrets.looksSecret;
let secretValues: typeof Secrets.secretValues;

// The module caches its verdicts on names, so each test loads it anew.
beforeEach(async () => {
  vi.resetModules();
  ({ looksSecret, secretValues } = await import('./secrets.ts'));
});

describe('the name of a secret (ENG-S1)', () => {
  it('has one of these as a word of its own', () => {
    for (const word of [
      'AUTH',
      'AUTHORIZATION',
      'COOKIE',
      'CREDS',
      'KEY',
      'KEYS',
      'PASS',
      'PAT',
      'PWD',
    ]) {
      const lower = word.toLowerCase();
      for (const name of [`DB_${word}`, `${lower}-2`, `db.${lower}.old`, `X--${word}`]) {
        expect(looksSecret(name), name).toBe(true);
      }
      for (const name of [`X${word}`, `${word}X`, `a${lower}b`, `X_${word}0`]) {
        expect(looksSecret(name), name).toBe(false);
      }
    }
  });

  it('has one of these anywhere', () => {
    for (const word of [
      'PASSWORD',
      'PASSWD',
      'PASSPHRASE',
      'SECRET',
      'CREDENTIAL',
      'TOKEN',
      'APIKEY',
      'ACCESSKEY',
      'PRIVATEKEY',
    ]) {
      for (const name of [
        word,
        `PG${word}`,
        `${word.toLowerCase()}s`,
        `my${word}2`,
        `A_${word}_B`,
      ]) {
        expect(looksSecret(name), name).toBe(true);
      }
    }
  });

  it.each([
    'npm_config__authToken',
    'AWS_SECRET_ACCESS_KEY',
    'api-key',
    'X-Api-Key',
    'Authorization',
    'Set-Cookie',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'DB_PWD',
  ])('can be %s', (name) => {
    expect(looksSecret(name)).toBe(true);
  });

  it.each(['PATH', 'PWD', 'pwd', 'OLDPWD', 'SSH_AUTH_SOCK', 'KEYBOARD', 'BYPASS', 'MONKEY', ''])(
    'is not "%s"',
    (name) => {
      expect(looksSecret(name)).toBe(false);
      expect(looksSecret(name)).toBe(false);
    },
  );

  it('selects the values of an environment', () => {
    expect(secretValues({ PATH: '/bin', DB_PASSWORD: 'hunter22', TOKEN: '' })).toEqual([
      'hunter22',
      '',
    ]);
  });
});
