import { Skeleton } from '@mantine/core'
import { operationsTexts } from '@ovation/contract/texts/operations'
import { lazy, Suspense } from 'react'
import { sized, useMediaLinks } from '../../../lib/media/media-links.ts'
import { VideoPlayer } from '../../../ui/video-player.tsx'
import classes from './operations.module.css'

const VoicePlayer = lazy(() => import('../../../ui/voice-player.tsx'))
const texts = operationsTexts.reports

type Props = { paths: readonly string[]; types: readonly string[] }

/** The files of a reported message, which admins can see while the report is open (D43). Files without a link are left out. */
export function ReportedMedia({ paths, types }: Props) {
  const { links, pending } = useMediaLinks([...paths], 'messages')
  if (paths.length === 0) return null
  return (
    <div className={classes.media}>
      {paths.map((path, index) => {
        const link = links.get(path)
        if (pending) return <Skeleton key={path} radius="md" />
        if (!link) return null
        if (types[index] === 'audio')
          return (
            <div key={path} className={classes.voice}>
              <Suspense>
                <VoicePlayer src={link} label={texts.voice(index + 1)} />
              </Suspense>
            </div>
          )
        return types[index] === 'video' ? (
          <VideoPlayer key={path} src={link} className={classes.clip} label={texts.video(index + 1)} />
        ) : (
          <a key={path} href={link} target="_blank" rel="noreferrer" aria-label={texts.openImage(index + 1)}>
            <img src={sized(link, 480)} alt={texts.image(index + 1)} />
          </a>
        )
      })}
    </div>
  )
}
