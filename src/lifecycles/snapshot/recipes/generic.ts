import type { Recipe } from './recipe.ts';
import { shellCommand } from './shell-command.ts';

/** Any two commands that freeze and thaw, run by the session helper, so that the thaw is certain. */
export const generic: Recipe = {
  name: 'generic',
  application: 'any',
  summary: 'Your own two shell commands, held: the thaw runs in the container whatever dies.',
  lockClass: 'flag',
  lockScope: 'Process',
  tested: true,
  parameters: [
    {
      name: 'freeze',
      description: 'a line for sh; its last line of output is LIFEHOOK_PRIOR for the thaw',
    },
    { name: 'thaw', description: 'a line for sh; it may run more than once' },
    {
      name: 'lockScope',
      description: 'Kernel where the freeze outlives the processes of the container, else Process',
      defaultValue: 'Process',
      pattern: /^(Process|Kernel)$/,
    },
  ],
  needs: { programs: ['sh'], privileges: [] },
  maxFreezeSeconds: null,
  exitCodes: {},
  priorState: 'what the freeze prints last is given to the thaw as LIFEHOOK_PRIOR',
  actions: ({ freeze = '', thaw = '', lockScope }) => ({
    preAction: { session: { freeze: shellCommand(freeze), thaw: shellCommand(thaw) } },
    lockScope: lockScope === 'Kernel' ? 'Kernel' : 'Process',
  }),
};
