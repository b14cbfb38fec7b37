/** The permission that the timeline of a cluster needs besides those of the controllers: Events of failed pod hooks. */
import type { Permission } from '../../controller/permission.ts';

export const timelinePermissions: readonly Permission[] = [
  { group: '', resource: 'events', verbs: ['list', 'watch'] },
];
