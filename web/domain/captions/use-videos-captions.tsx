import { captionsTexts } from '@ovation/contract/texts/captions'
import { type ReactNode, useState } from 'react'
import { type Captions, saveCaptions } from './captions.ts'
import { CaptionsField } from './captions-field.tsx'

type Files = {
  media_urls: readonly string[]
  media_types: readonly string[]
  /** The stored languages of each file, if known. */
  media_previews?: readonly { captions?: string[] }[]
}

/** The captions of a post's videos while it is edited: a field for each video, and a function that saves them. */
export function useVideosCaptions(post: Files) {
  const [videos, setVideos] = useState(() => videosOf(post))
  const change = (path: string, captions: Captions[]) =>
    setVideos(videos.map((video) => (video.path === path ? { ...video, captions } : video)))
  const fields = (disabled: boolean): ReactNode[] =>
    videos.map(({ path, captions }, index) => (
      <CaptionsField
        key={path}
        video={captionsTexts.video(index + 1, videos.length)}
        value={captions}
        disabled={disabled}
        onChange={(changed) => change(path, changed)}
      />
    ))
  const save = async () => {
    for (const { path, captions, before } of videos) await saveCaptions(path, captions, before)
  }
  return { fields, save }
}

function videosOf({ media_urls, media_types, media_previews = [] }: Files) {
  return media_urls.flatMap((path, index) => {
    if (media_types[index] !== 'video') return []
    const before = media_previews[index]?.captions ?? []
    return [{ path, before, captions: before.map((language): Captions => ({ language })) }]
  })
}
