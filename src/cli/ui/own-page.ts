import { PAGE_FILE, timelinePage, type TimelinePage } from '../../timeline/page.ts';
import { readProgramFile } from '../program-files.ts';
import { programFolder } from '../program-folder.ts';

/** As it was built together with this program. Throws where it was not. */
export function ownTimelinePage(): TimelinePage {
  return timelinePage(readProgramFile(programFolder(), PAGE_FILE).toString('latin1'));
}
