import type { LogRequest } from '../api/pod-streams.ts';
import { type LogFiles, logRecords } from './log-files.ts';
import { LastLines, type LogRecord, parseRecord } from './log-text.ts';

export type LogWish = Pick<
  LogRequest,
  'follow' | 'timestamps' | 'sinceMs' | 'tailLines' | 'limitBytes'
>;

/** What of a container's log was asked for, as bytes, at the reader's pace. */
export async function* readLog(files: LogFiles, wish: LogWish): AsyncGenerator<Uint8Array> {
  let left = wish.limitBytes ?? Number.POSITIVE_INFINITY;
  let atLineStart = true;
  for await (const records of wishedRecords(files, wish)) {
    let text = '';
    for (const record of records) {
      text += wish.timestamps && atLineStart ? `${record.time} ${record.text}` : record.text;
      atLineStart = record.endsLine;
    }
    const bytes = bytesOf(text.slice(0, left));
    left -= bytes.length;
    if (bytes.length > 0) yield bytes;
    if (left <= 0) return;
  }
}

/** With `tailLines`, what is there already is kept back until its end has been seen. */
async function* wishedRecords(
  files: LogFiles,
  wish: LogWish,
): AsyncGenerator<readonly LogRecord[]> {
  let last = wish.tailLines === null ? null : new LastLines(wish.tailLines);
  for await (const lines of logRecords(files)) {
    const records = lines.map(parseRecord).filter((record) => record !== null);
    const wished = records.filter(
      ({ time }) => wish.sinceMs === null || Date.parse(time) >= wish.sinceMs,
    );
    if (last === null) {
      yield wished;
    } else {
      for (const record of wished) last.add(record);
      if (lines.length === 0 && files.follow) {
        yield last.take();
        last = null;
      }
    }
  }
  if (last !== null) yield last.take();
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
