/** The same on the local cluster, with plain processes. It stands beside the suite of the real cluster. */
import { openMigrationStand } from '../e2e/rollout-migration-stand.ts';
import { story } from '../fixtures/rollout-migration/story.ts';
import { tellStory } from '../fixtures/rollout-migration/tell-story.ts';

tellStory('migrations on the local cluster', story, openMigrationStand);
