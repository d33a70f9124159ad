import { Button, Loader } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { storyTexts } from '@ovation/contract/texts/stories'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import type { Story } from '../../domain/stories/queries.ts'
import { appConfig } from '../../lib/api/config.ts'
import { captionsOf, sized, streamOf } from '../../lib/media/media-links.ts'
import { attachStream } from '../../ui/attach-stream.ts'
import { BlurredPreview } from '../../ui/blurred-preview.tsx'
import { pauseOthers } from '../../ui/pause-others.ts'
import classes from './story-player.module.css'

const texts = storyTexts.viewer

type Props = {
  story: Story
  link: string | undefined
  /** The link is still being signed. */
  pending: boolean
  name: string
  muted: boolean
  running: boolean
  video: RefObject<HTMLVideoElement | null>
  onReady: () => void
  onEnded: () => void
  /** The browser plays it without sound only, until the viewer presses something. */
  onMutedByBrowser: () => void
}

/** The picture or the video of a story, and what stands there until it has loaded, or if it can't be. */
export function StoryMedia(props: Props) {
  const { story, link, pending } = props
  const [tries, setTries] = useState(0)
  const [failed, setFailed] = useState<string>()
  const [loaded, setLoaded] = useState<string>()
  const state = failed === story.id || (!link && !pending) ? 'failed' : loaded === story.id ? 'ready' : 'loading'
  const queryClient = useQueryClient()
  const retry = () => {
    void queryClient.invalidateQueries({ queryKey: ['media-links', 'stories'] })
    setFailed(undefined)
    setTries(tries + 1)
  }
  const media = {
    ...props,
    onReady: () => {
      setLoaded(story.id)
      props.onReady()
    },
    onFailed: () => setFailed(story.id),
  }
  return (
    <div className={classes.media}>
      {story.preview && <BlurredPreview preview={story.preview} />}
      {link &&
        state !== 'failed' &&
        (story.media_type === 'image' ? (
          <Photo key={`${story.id} ${tries}`} {...media} link={link} />
        ) : (
          <Video key={`${story.id} ${tries}`} {...media} link={link} />
        ))}
      {state === 'loading' && <Loader color="gray.3" className={classes.waiting ?? ''} aria-label={texts.loading} />}
      {state === 'failed' && (
        <div className={classes.failed} role="alert">
          <p>{texts.mediaFailed}</p>
          <Button variant="white" color="dark" onClick={retry}>
            {commonTexts.retry}
          </Button>
        </div>
      )}
    </div>
  )
}

type MediaProps = Props & { link: string; onFailed: () => void }

function Photo({ story, link, name, onReady, onFailed }: MediaProps) {
  const { width, height } = story
  return (
    <img
      src={sized(link, 1080)}
      srcSet={[720, 1080, 1600].map((side) => `${sized(link, side)} ${side}w`).join(', ')}
      sizes="(min-width: 48em) 57svh, 100vw"
      alt={story.alt_text ?? texts.photo(name)}
      {...(width && height ? { width, height } : {})}
      draggable={false}
      onLoad={onReady}
      onError={onFailed}
    />
  )
}

function Video({ story, link, name, muted, running, video, onReady, onEnded, onFailed, onMutedByBrowser }: MediaProps) {
  const muteAndPlay = useEffectEvent((element: HTMLVideoElement) => {
    onMutedByBrowser()
    element.muted = true
    void element.play().catch(() => undefined)
  })
  // Once for each story: a renewed link would restart it.
  const [src] = useState(link)
  useEffect(() => {
    const element = video.current
    if (!element || !story.stream) return
    return attachStream(element, streamOf(src), src)
  }, [src, story.stream, video])
  useEffect(() => {
    const element = video.current
    if (!element) return
    if (!running) return element.pause()
    pauseOthers(element)
    element.play().catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'NotAllowedError') muteAndPlay(element)
    })
  }, [running, video])
  return (
    <video
      ref={video}
      src={src}
      poster={story.preview ? sized(src, 960) : undefined}
      muted={muted}
      playsInline
      preload="auto"
      aria-label={story.alt_text ?? texts.video(name)}
      {...(appConfig().filesUrl && { crossOrigin: 'anonymous' })}
      onLoadedData={onReady}
      onEnded={onEnded}
      onError={onFailed}
    >
      {story.captions.map((language, at) => {
        const { src: file, label } = captionsOf(src, language)
        return <track key={language} kind="captions" src={file} srcLang={language} label={label} default={at === 0} />
      })}
    </video>
  )
}
