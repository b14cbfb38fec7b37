/** What the timeline of a cluster reads besides what the controllers read anyway: which hooks of pods have failed. */
import type { Permission } from '../../controller/permission.ts';

export const timelinePermissions: readonly Permission[] = [
  { group: '', resource: 'events', verbs: ['list', 'watch'] },
];
