import { ppvMinPriceCents, priceMaxCents } from '@ovation/contract/limits'
import { composerTexts } from '@ovation/contract/texts/posts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { supabase } from '../../lib/supabase.ts'
import type { Viewer } from '../../lib/viewer.ts'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { mediaTypeOf } from './file-rules.ts'
import { useFiles } from './use-files.ts'

/** `free`, `ppv`, or the id of one of the creator's plans. */
export type Audience = string
export type ComposerValues = { title: string; content: string; audience: Audience; price: number | '' }

const { errors, failed } = composerTexts

/** POST-17..POST-23, D26 */
export function useComposer(viewer: Viewer, onCreated: () => void) {
  const queryClient = useQueryClient()
  const files = useFiles(viewer.userId)
  const form = useAppForm<ComposerValues>({
    initialValues: { title: '', content: '', audience: 'free', price: '' },
    validate: {
      content: (value) => (value.trim() || files.list.length > 0 ? null : errors.empty),
      price: (value, { audience }) => (audience !== 'ppv' || isPrice(value) ? null : errors.price),
    },
  })

  // Leaving the page would lose the upload: the browser asks first.
  const busy = useRef(false)
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => busy.current && event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])

  const publish = useMutation({
    mutationFn: async (values: ComposerValues) => {
      busy.current = true
      const uploaded = await files.upload()
      if (!uploaded) return false
      await supabase
        .from('posts')
        .insert({
          creator_id: viewer.profileId,
          title: values.title.trim() || null,
          content: values.content.trim(),
          ...audienceColumns(values),
          media_urls: uploaded.map(({ path }) => path),
          media_types: uploaded.map(({ file }) => mediaTypeOf(file)),
        })
        .throwOnError()
      return true
    },
    onSuccess: (created) => {
      // Otherwise some files failed: they are marked, and "Create Post" tries them again.
      if (!created) return
      toast.success(composerTexts.created)
      void queryClient.invalidateQueries({ queryKey: ['posts'] })
      void queryClient.invalidateQueries({ queryKey: ['profile'] })
      onCreated()
    },
    onError: (error) => toast.error(error.message || failed.message, failed.title),
    onSettled: () => {
      busy.current = false
    },
  })

  return {
    form,
    files,
    submit: form.handleSubmit((values) => publish.mutate(values)),
    // POST-36: also while a single file is sent again.
    pending: publish.isPending || files.busy,
    isDirty: files.list.length > 0 || form.values.title.trim() !== '' || form.values.content.trim() !== '',
  }
}

const isPrice = (dollars: number | ''): boolean =>
  dollars !== '' && dollars * 100 >= ppvMinPriceCents && dollars * 100 <= priceMaxCents

function audienceColumns({ audience, price }: ComposerValues) {
  if (audience === 'free') return { post_type: 'free' as const }
  if (audience === 'ppv') return { post_type: 'ppv' as const, ppv_price: Number(price) }
  return { post_type: 'subscription' as const, required_tier_id: audience }
}
