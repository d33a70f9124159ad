import { composerTexts } from '@ovation/contract/texts/posts'
import { schedulingTexts } from '@ovation/contract/texts/scheduling'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { useLeavingWarning } from '../../lib/browser/use-leaving-warning.ts'
import { formatExact } from '../../lib/format/format-date.ts'
import { readDraft } from '../../lib/forms/draft.ts'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { saveAltText } from '../alt-text/save-alt-text.ts'
import { saveCaptions } from '../captions/captions.ts'
import { saveFocus } from '../picture-focus/save-focus.ts'
import { useCover } from '../posts/use-cover.ts'
import { scheduledPostsKey } from '../scheduling/queries.ts'
import { vaultKey } from '../vault/vault-key.ts'
import type { PickedFile } from '../vault/vault-picker.tsx'
import {
  audienceColumns,
  blankPost,
  type ComposerValues,
  isBlank,
  rulesOf,
  schedulingColumns,
} from './composer-values.ts'
import { mediaTypeOf } from './file-rules.ts'
import { useFiles } from './use-files.ts'

const { failed } = composerTexts

/** Whether a creator has exactly one post. A failure isn't worth a message: the post is published. */
async function isOnlyPost(creatorId: string): Promise<boolean> {
  const { data } = await supabase.from('posts').select('id').eq('creator_id', creatorId).limit(2)
  return data?.length === 1
}

/** POST-17..POST-23, D26. A draft stays in this browser until it is published or discarded. */
export function useComposer(viewer: Viewer, onCreated: () => void, picked: PickedFile[] = []) {
  const queryClient = useQueryClient()
  const files = useFiles(viewer.userId, picked)
  const cover = useCover(viewer.userId)
  const draft = { key: `post ${viewer.profileId}`, place: 'device' } as const
  const [draftIsBack] = useState(() => {
    const { title, content } = readDraft(draft.key, draft.place)
    return [title, content].some((text) => typeof text === 'string' && text.trim() !== '')
  })
  const form = useAppForm<ComposerValues>({
    draft,
    initialValues: blankPost,
    validate: rulesOf(() => files.list.length),
  })

  /** A post without words begins with the caption of its first file. */
  const beginWith = (files: PickedFile[]) => {
    const caption = files.find(({ file }) => file.caption)?.file.caption
    if (caption && !form.getValues().content.trim()) form.setFieldValue('content', caption)
  }
  // After the draft has been restored.
  const begin = useEffectEvent(() => beginWith(picked))
  useEffect(() => begin(), [])

  const publish = useMutation({
    mutationFn: async (values: ComposerValues) => {
      const uploaded = await files.upload()
      if (!uploaded) return { created: false }
      // Before the post exists, so that its first viewers get captions, alt texts, and the right crop.
      for (const { path, captions, focus, alt, vault } of uploaded) {
        await saveCaptions(path, captions)
        if (focus) await saveFocus(path, focus)
        // A file of the vault has its own already.
        if (alt.trim() !== (vault?.alt_text ?? '')) await saveAltText(path, alt)
      }
      // A free post needs none, even if one was chosen before.
      const coverPath = values.audience === 'free' ? undefined : await cover.upload()
      const post = {
        creator_id: viewer.profileId,
        title: values.title.trim() || null,
        content: values.content.trim(),
        ...audienceColumns(values),
        media_urls: uploaded.map(({ path }) => path),
        media_types: uploaded.map(({ file }) => mediaTypeOf(file)),
        ...(coverPath && { cover_path: coverPath }),
      }
      const scheduling = schedulingColumns(values)
      if (scheduling)
        await supabase
          .from('scheduled_posts')
          .insert({ ...post, ...scheduling })
          .throwOnError()
      else await supabase.from('posts').insert(post).throwOnError()
      return { created: true, isFirst: !values.scheduled && !values.asks && (await isOnlyPost(viewer.profileId)) }
    },
    onSuccess: ({ created, isFirst }, { scheduled, publishAt }) => {
      // Otherwise some files failed. They are marked, and "Create Post" retries them.
      if (!created) return
      if (isFirst) toast.joy(composerTexts.firstPost, composerTexts.created)
      else toast.success(scheduled ? schedulingTexts.scheduled(formatExact(publishAt)) : composerTexts.created)
      form.forgetDraft()
      void queryClient.invalidateQueries({ queryKey: ['posts'] })
      void queryClient.invalidateQueries({ queryKey: ['profile'] })
      void queryClient.invalidateQueries({ queryKey: vaultKey })
      void queryClient.invalidateQueries({ queryKey: scheduledPostsKey })
      onCreated()
    },
    onError: (error) => toast.error(error.message ? errorMessageOf(error) : failed.message, failed.title),
  })
  // Leaving would lose the upload, even of a single file.
  useLeavingWarning(publish.isPending || files.busy)

  return {
    form,
    files: {
      ...files,
      addPicked: (added: PickedFile[]) => {
        files.addPicked(added)
        beginWith(added)
      },
    },
    cover,
    draftIsBack,
    submit: form.handleSubmit((values) => publish.mutateAsync(values)),
    // Also while a single file is retried (POST-36).
    pending: publish.isPending || files.busy,
    isDirty: files.list.length > 0 || cover.cover !== undefined || !isBlank(form.values),
  }
}
