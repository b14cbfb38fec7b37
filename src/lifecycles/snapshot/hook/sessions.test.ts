/** The sessions that a controller holds (SNAP-R36). */
import { describe, expect, it } from 'vitest';

import { deferred } from '../../../../test/fixtures/deferred.ts';
import { bareResult } from '../../../engine/act.ts';
import type { HeldSession, OpenedSession, SessionEnd } from '../session/session.ts';
import { Sessions } from './sessions.ts';

const ID = 'uid-h/uid-a/db';

interface Opened {
  readonly opened: OpenedSession;
  /** The timeouts of the requested thaws, in milliseconds. */
  readonly thaws: number[];
  readonly end: (end: SessionEnd) => void;
}

function open(): Opened {
  const thaws: number[] = [];
  const { promise: ended, resolve: end } = deferred<SessionEnd>();
  const session: HeldSession = {
    timing: 'read',
    windowSeconds: 4,
    ended,
    thaw: (timeoutMs) => {
      thaws.push(timeoutMs);
      return ended;
    },
  };
  return { opened: { result: bareResult('Succeeded', 'Frozen.', 5), session }, thaws, end };
}
const failed = (undone?: SessionEnd): OpenedSession => ({
  result: bareResult('Failed', 'The freeze exited with code 3.', 5),
  session: null,
  ...(undone === undefined ? {} : { undone }),
});
const broken: SessionEnd = { kind: 'broken', reason: 'the client has ended' };

describe('the session of a target', () => {
  it('is absent where this process holds none', () => {
    const sessions = new Sessions();
    expect([sessions.look(ID), sessions.held(ID)]).toEqual([{ kind: 'absent' }, null]);
  });

  it('is held until it ends, and kept as ended then', async () => {
    const sessions = new Sessions();
    const { opened, end } = open();
    const { promise: reported, resolve: report } = deferred<boolean>();
    sessions.keep(ID, opened, () => {
      report(true);
    });
    expect([sessions.look(ID), sessions.held(ID)]).toEqual([{ kind: 'held' }, opened.session]);
    end(broken);
    expect(await reported).toBe(true);
    expect([sessions.look(ID), sessions.held(ID)]).toEqual([{ kind: 'ended', end: broken }, null]);
  });

  it('is asked to thaw if it opens after the sessions were closed (SNAP-G14)', () => {
    const sessions = new Sessions();
    sessions.close();
    const { opened, thaws } = open();
    sessions.keep(ID, opened, () => {});
    expect([thaws.length, sessions.held(ID)]).toEqual([1, null]);
  });

  it('has ended where the freeze failed, as the session helper reports', () => {
    const sessions = new Sessions();
    sessions.keep(ID, failed(broken), () => {});
    expect([sessions.look(ID), sessions.held(ID)]).toEqual([{ kind: 'ended', end: broken }, null]);
  });

  it('has nothing to undo where the session helper was never reached', () => {
    const sessions = new Sessions();
    sessions.keep(ID, failed(), () => {});
    const reason = 'The freeze exited with code 3.';
    expect(sessions.look(ID)).toEqual({
      kind: 'ended',
      end: { kind: 'thawed', by: 'deadman', exitCode: 0, reason },
    });
  });
});

describe('the sessions of a controller', () => {
  it('are sent a thaw when their hook is forgotten, and those of other hooks are not', () => {
    const sessions = new Sessions();
    const [own, other] = [open(), open()];
    sessions.keep(ID, own.opened, () => {});
    sessions.keep('uid-hook-2/uid-a/db', other.opened, () => {});
    sessions.forget('uid-h');
    expect([own.thaws.length, other.thaws.length]).toEqual([1, 0]);
    expect([sessions.look(ID), sessions.look('uid-hook-2/uid-a/db')]).toEqual([
      { kind: 'absent' },
      { kind: 'held' },
    ]);
  });

  it('are all sent a thaw when the controller loses the lease (SNAP-I14)', () => {
    const sessions = new Sessions();
    const [first, second] = [open(), open()];
    sessions.keep(ID, first.opened, () => {});
    sessions.keep('uid-hook-2/uid-a/db', second.opened, () => {});
    sessions.close();
    expect([first.thaws.length, second.thaws.length]).toEqual([1, 1]);
    expect(sessions.look(ID)).toEqual({ kind: 'absent' });
  });

  it('are sent no thaw once they have ended', async () => {
    const sessions = new Sessions();
    const { opened, thaws, end } = open();
    const { promise: reported, resolve: report } = deferred<void>();
    sessions.keep(ID, opened, report);
    end(broken);
    await reported;
    sessions.close();
    expect(thaws).toEqual([]);
  });
});
