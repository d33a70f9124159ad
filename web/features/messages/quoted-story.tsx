import { paths } from '@ovation/contract/paths'
import { storyTexts } from '@ovation/contract/texts/stories'
import { IconVideo } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { quotedStoryQuery } from '../../domain/stories/queries.ts'
import { sized, useMediaLinks } from '../../lib/media/media-links.ts'
import classes from './quoted-message.module.css'
import storyClasses from './quoted-story.module.css'

const texts = storyTexts.quote

type Props = {
  storyId: string
  /** Whether the viewer wrote the reply. */
  mine: boolean
  /** The other user's name. */
  name: string
}

/** The story that a message replies to, as long as the viewer may see it (STORY-02). Loads with the first one. */
export default function QuotedStory({ storyId, mine, name }: Props) {
  const { data: story, isPending } = useQuery(quotedStoryQuery(storyId))
  const { links } = useMediaLinks(story ? [story.path] : [], 'stories')
  const words = mine ? texts.byYou(name) : texts.toYou
  if (!story?.creator?.username)
    return (
      <p className={classes.quote}>
        <span className={classes.words}>
          <span className={storyClasses.words}>{words}</span>
          {!isPending && <span className={classes.gone}>{texts.gone}</span>}
        </span>
      </p>
    )
  const link = links.get(story.path)
  return (
    <Link
      to={paths.stories(story.creator.username, `story=${story.id}`)}
      state={{ fromApp: true }}
      className={`${classes.quote} ${storyClasses.link}`}
      title={texts.open}
    >
      <span className={classes.words}>
        <span className={storyClasses.words}>{words}</span>
      </span>
      <span className={`${classes.picture} ${storyClasses.picture}`}>
        {link && <img src={sized(link, 144)} alt="" loading="lazy" />}
        {story.media_type === 'video' && <IconVideo size={18} stroke={1.6} aria-hidden="true" />}
      </span>
    </Link>
  )
}
