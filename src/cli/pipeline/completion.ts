/**
 * Completes values for pipelines. It loads only the code for the value at the cursor, because the user waits for it.
 */
import type { Looks } from '../completion/complete.ts';

export const looks: Looks = {
  profiles: async ({ options }) => {
    const { profileNames } = await import('./profile-names.ts');
    return profileNames(options['--filename']);
  },
  'recorded-hooks': async ({ options }) => {
    const { recordedHooks } = await import('./rerun-recorded.ts');
    return recordedHooks(options['--filename']);
  },
  sessions: async ({ options }) => {
    const { keptSessions } = await import('./kept-sessions.ts');
    return (await keptSessions(options['--filename'])).map(({ id }) => id);
  },
};
