import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { storyTexts } from '@ovation/contract/texts/stories'
import { Link } from 'react-router'
import type { StoryCreator } from '../../domain/stories/queries.ts'
import classes from './story-player.module.css'

const texts = storyTexts.viewer

/** In place of stories that have ended, or that aren't for this viewer: the two look alike (STORY-03). */
export function GoneStory({ creator }: { creator?: StoryCreator }) {
  return (
    <div className={classes.gone}>
      <h1>{texts.gone.title}</h1>
      <p>{texts.gone.message}</p>
      <div className={classes.goneActions}>
        {creator?.username && (
          <Button component={Link} to={paths.profile(creator.username)} replace variant="white" color="dark">
            {texts.profile}
          </Button>
        )}
        <Button component={Link} to={paths.home} replace variant="outline" color="gray.3">
          {texts.home}
        </Button>
      </div>
    </div>
  )
}
