import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { supabase } from '../../lib/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { useVideosCaptions } from '../captions/use-videos-captions.tsx'
import { EditWords, type Words } from '../posts/edit-words.tsx'
import type { OwnPost } from './queries.ts'

const texts = dashboardTexts.content

type Props = { post: OwnPost; onSaved: () => Promise<unknown>; onClose: () => void }

/** The words of a post that is out, and the captions of its videos (POST-52). */
export default function EditPost({ post, onSaved, onClose }: Props) {
  const captions = useVideosCaptions(post)
  const save = async (words: Words) => {
    await supabase.from('posts').update(words).eq('id', post.id).throwOnError()
    await captions.save()
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
      {captions.fields}
    </EditWords>
  )
}
