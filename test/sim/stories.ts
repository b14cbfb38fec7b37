import { podStory } from './pod/story.ts';
import { rolloutStory } from './rollout/story.ts';
import { snapshotStory } from './snapshot/story.ts';
import type { StoryRule } from './story.ts';

/** Rules keyed by lifecycle. A lifecycle without an entry uses only the common rules. */
export const stories: Readonly<Record<string, readonly StoryRule[]>> = {
  pod: podStory,
  rollout: rolloutStory,
  snapshot: snapshotStory,
};
