import { composerTexts } from '@ovation/contract/texts/posts'
import { useQueryClient } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { useVideosCaptions } from '../captions/use-videos-captions.tsx'
import { EditPostText, type PostText } from './edit-post-text.tsx'
import { changePost } from './post-cache.ts'
import { type MediaPreview, type Post, postsKey } from './queries.ts'

const texts = composerTexts.edit

type Props = {
  post: Pick<Post, 'id' | 'title' | 'content' | 'media_urls' | 'media_types'> & {
    media_previews: Pick<MediaPreview, 'captions'>[]
  }
  onClose: () => void
}

/** Edits a published post's text and its videos' captions (POST-52). */
export default function EditPost({ post, onClose }: Props) {
  const captions = useVideosCaptions(post)
  const queryClient = useQueryClient()
  const save = async (text: PostText) => {
    await supabase.from('posts').update(text).eq('id', post.id).throwOnError()
    await captions.save()
    changePost(queryClient, post.id, (known) => ({ ...known, ...text }))
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
      {captions.fields}
    </EditPostText>
  )
}
