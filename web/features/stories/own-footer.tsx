import { storyTexts } from '@ovation/contract/texts/stories'
import { IconEye, IconStar } from '@tabler/icons-react'
import type { Story } from '../../domain/stories/queries.ts'
import type { StoryDialog } from './story-dialogs.tsx'
import classes from './story-player.module.css'

/** Below a creator's own story: who has seen it, and its highlights (STORY-02). */
export function OwnFooter({ story, onOpen }: { story: Story; onOpen: (dialog: StoryDialog) => void }) {
  return (
    <div className={classes.actions}>
      <button type="button" className={classes.action} onClick={() => onOpen('viewers')}>
        <IconEye size={20} stroke={1.75} aria-hidden="true" />
        {storyTexts.viewer.seenBy(story.viewers ?? 0)}
      </button>
      <button type="button" className={classes.action} onClick={() => onOpen('highlight')}>
        <IconStar size={20} stroke={1.75} aria-hidden="true" />
        {storyTexts.highlights.add}
      </button>
    </div>
  )
}
