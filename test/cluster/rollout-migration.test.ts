/** examples/rollouts on the real cluster: images of Debian's packages, and `lifehook controller` next to it. */
import { story } from '../fixtures/rollout-migration/story.ts';
import { runStory } from '../fixtures/rollout-migration/run-story.ts';
import { openRealMigration } from './rollout-migration-cluster.ts';

runStory('migrations on the real cluster', story, openRealMigration);
