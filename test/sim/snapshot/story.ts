import type { StoryRule } from '../story.ts';

export const snapshotStory: readonly StoryRule[] = [
  {
    pattern: /^(\S+): (freeze|thaw|probe) (\S+) in (\S+)$/,
    who: 'controller',
    tells: '$1 sends $2 $3 to $4',
  },
  {
    pattern: /^the holder: (\w+) (\S+) in (\S+)$/,
    who: 'session',
    tells: 'session helper in $3 sends $1 $2',
  },
  { pattern: /^the holder thaws: (.*)$/, who: 'session', tells: 'session helper thaws: $1' },
  {
    pattern: /^(\S+) \(\S+\) is frozen by (\S+)$/,
    who: 'application',
    tells: '$1 is frozen by $2',
  },
  {
    pattern: /^(\S+) \(\S+\) is not frozen any more: (.*)$/,
    who: 'application',
    tells: '$1 is no longer frozen, $2',
  },
  {
    pattern: /^the cut of (\S+) for \S+ (begins|ends)$/,
    who: 'storage',
    tells: 'the snapshot of $1 $2',
  },
  { pattern: /^verdict on (.*)$/, who: 'controller', tells: 'verdict on $1' },
  { pattern: /^(statuses of hooks are refused .*)$/, who: 'fault', tells: '$1' },
  { pattern: /^(template \S+ is created .*)$/, who: 'fault', tells: '$1' },
  {
    pattern: /^(\S+): (create|delete) (executionhook|volume\w*snapshot)s\S* ns\/(\S+)$/,
    who: 'controller',
    tells: '$1 sends $2 $3 $4',
  },
];
