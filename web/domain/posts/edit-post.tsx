import { composerTexts } from '@ovation/contract/texts/posts'
import { useQueryClient } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { toast } from '../../ui/toast.ts'
import { useVideosCaptions } from '../captions/use-videos-captions.tsx'
import { usePostCommenters } from '../comment-rules/use-post-commenters.tsx'
import { usePicturesFocus } from '../picture-focus/use-pictures-focus.tsx'
import { CoverField } from './cover-field.tsx'
import { EditPostText, type PostText } from './edit-post-text.tsx'
import { changePost } from './post-cache.ts'
import { type MediaPreview, type Post, postsKey } from './queries.ts'
import { useCover } from './use-cover.ts'

const texts = composerTexts.edit

type Props = {
  post: Pick<Post, 'id' | 'title' | 'content' | 'post_type' | 'cover_path' | 'media_urls' | 'media_types'> & {
    media_previews: Pick<MediaPreview, 'captions' | 'focus'>[]
  }
  onClose: () => void
}

/** Edits a published post's text, who may comment on it (TALK-02), its pictures' focus points, its videos' captions, and its free cover (POST-52, LOOP-11, LOOP-14). */
export default function EditPost({ post, onClose }: Props) {
  const captions = useVideosCaptions(post)
  const focus = usePicturesFocus(post)
  const commenters = usePostCommenters(post.id, useViewer()?.profileId ?? '')
  const cover = useCover(useViewer()?.userId ?? '', post.cover_path)
  const queryClient = useQueryClient()
  const save = async (text: PostText) => {
    const cover_path = (await cover.upload()) ?? null
    const change = { ...text, ...(cover_path !== post.cover_path && { cover_path }) }
    await supabase.from('posts').update(change).eq('id', post.id).throwOnError()
    await captions.save()
    await focus.save()
    await commenters.save()
    changePost(queryClient, post.id, (known) => ({ ...known, ...change }))
    toast.success(texts.saved)
    for (const queryKey of [postsKey, ['dashboard'], ['profile']]) void queryClient.invalidateQueries({ queryKey })
  }
  return (
    <EditPostText
      heading={texts.title}
      draftKey={`edit-post:${post.id}`}
      post={post}
      hasFiles={post.media_types.length > 0}
      failed={texts.failed}
      onSave={save}
      onClose={onClose}
    >
      {(busy) => (
        <>
          {commenters.field(busy)}
          {focus.fields(busy)}
          {captions.fields(busy)}
          {post.post_type !== 'free' && <CoverField cover={cover.cover} disabled={busy} onChange={cover.choose} />}
        </>
      )}
    </EditPostText>
  )
}
