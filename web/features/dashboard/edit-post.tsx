import { captionsTexts } from '@ovation/contract/texts/captions'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { useState } from 'react'
import { supabase } from '../../lib/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { type Captions, saveCaptions } from '../captions/captions.ts'
import { CaptionsField } from '../captions/captions-field.tsx'
import { EditWords, type Words } from '../posts/edit-words.tsx'
import type { OwnPost } from './queries.ts'

const texts = dashboardTexts.content

type Props = { post: OwnPost; onSaved: () => Promise<unknown>; onClose: () => void }

/** The words of a post that is out, and the captions of its videos (POST-52). */
export default function EditPost({ post, onSaved, onClose }: Props) {
  const [videos, setVideos] = useState(() => videosOf(post))
  const save = async (words: Words) => {
    await supabase.from('posts').update(words).eq('id', post.id).throwOnError()
    for (const { path, captions, before } of videos) await saveCaptions(path, captions, before)
    toast.success(texts.saved)
    void onSaved()
  }
  return (
    <EditWords
      heading={texts.editTitle}
      draftKey={`edit-post:${post.id}`}
      post={post}
      hasFiles={post.media_count > 0}
      failed={texts.saveFailed}
      onSave={save}
      onClose={onClose}
    >
      {(busy) =>
        videos.map(({ path, captions }, index) => (
          <CaptionsField
            key={path}
            video={captionsTexts.video(index + 1, videos.length)}
            value={captions}
            disabled={busy}
            onChange={(changed) =>
              setVideos(videos.map((video) => (video.path === path ? { ...video, captions: changed } : video)))
            }
          />
        ))
      }
    </EditWords>
  )
}

function videosOf({ media_urls, media_types, media_previews }: OwnPost) {
  return media_urls.flatMap((path, index) => {
    if (media_types[index] !== 'video') return []
    const before = media_previews[index]?.captions ?? []
    return [{ path, before, captions: before.map((language): Captions => ({ language })) }]
  })
}
