import { describe, expect, it } from 'vitest';

import { hookState } from './state-json.ts';

const state = { ociVersion: '1.2.0', id: 'web', status: 'creating', pid: 42, bundle: '/b' };
const reported = (change: object, stage: Parameters<typeof hookState>[1]): unknown =>
  JSON.parse(hookState(JSON.stringify({ ...state, ...change }), stage).text);

describe('hookState', () => {
  it('passes a correct state on byte for byte', () => {
    const text = '{ "id":"web",\n "status":"creating", "pid":42, "big":18446744073709551615 }';
    expect(hookState(text, 'createRuntime').text).toBe(text);
  });

  it.each([
    ['createRuntime', { status: 'created' }, { status: 'created' }],
    ['createRuntime', { status: 'running' }, { status: 'creating' }],
    ['prestart', { status: 'creating' }, { status: 'creating' }],
    ['createContainer', { pid: 0 }, { pid: 1 }],
    ['createContainer', { pid: 1 }, { pid: 1 }],
    ['poststart', { status: 'created' }, { status: 'running' }],
    ['poststop', { status: 'running', pid: 42 }, { status: 'stopped', pid: 42 }],
  ] as const)('corrects the %s state %j', (stage, given, right) => {
    expect(reported(given, stage)).toEqual({ ...state, ...given, ...right });
  });

  it('removes the pid 0 from a poststop state', () => {
    const { pid: _none, ...withoutPid } = state;
    expect(reported({ status: 'stopped', pid: 0 }, 'poststop')).toEqual({
      ...withoutPid,
      status: 'stopped',
    });
  });

  it('reads the container and the bundle, in UTF-8', () => {
    const bytes = '{"id":"web","status":"creating","pid":1,"bundle":"/b\xc3\xbc"}';
    expect(hookState(bytes, 'createRuntime')).toMatchObject({ containerId: 'web', bundle: '/bü' });
  });

  it.each(['', 'null', '[1]', '{"id":'])('leaves %j unchanged, since it is not a state', (text) => {
    expect(hookState(text, 'poststop')).toEqual({ text, containerId: '', bundle: '' });
  });
});
