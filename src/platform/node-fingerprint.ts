import * as fs from 'node:fs';
import { join } from 'node:path';

import { mixFile, type FileFacts, type Fingerprint, type Fingerprints } from './fingerprint.ts';

/** Fingerprints over `node:fs`. */
export const nodeFingerprints: Fingerprints = {
  fingerprint(folder, names, seed): Fingerprint {
    let hash = seed;
    let newestNs = 0n;
    for (const name of names.split('/').slice(0, -1)) {
      const facts = factsOf(join(folder, name));
      hash = mixFile(hash, facts);
      if (facts.changedNs > newestNs) newestNs = facts.changedNs;
    }
    return { hash, newestMs: Number(newestNs) / nanosecondsPerMillisecond };
  },
};

const nanosecondsPerMillisecond = 1e6;
const absent: FileFacts = { inode: 0n, size: 0n, modifiedNs: 0n, changedNs: 0n };

function factsOf(path: string): FileFacts {
  try {
    const stats = fs.statSync(path, { bigint: true });
    return {
      inode: stats.ino,
      size: stats.size,
      modifiedNs: stats.mtimeNs,
      changedNs: stats.ctimeNs,
    };
  } catch {
    return absent;
  }
}
