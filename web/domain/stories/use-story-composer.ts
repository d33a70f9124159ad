import { storyTexts } from '@ovation/contract/texts/stories'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { useLeavingWarning } from '../../lib/browser/use-leaving-warning.ts'
import { UploadControl } from '../../lib/uploads/upload-control.ts'
import { UploadError } from '../../lib/uploads/upload-error.ts'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { type Captions, saveCaptions } from '../captions/captions.ts'
import { mediaTypeOf, refusalOf, withType } from '../composer/file-rules.ts'
import { uploadErrorMessage } from '../composer/upload-error-message.ts'
import { vaultKey } from '../vault/vault-key.ts'
import type { PickedFile } from '../vault/vault-picker.tsx'
import { type StoryAudience, storiesKey } from './queries.ts'
import { isTooLong, keepInVault, measureVideo, shareStory } from './share-story.ts'

const texts = storyTexts.composer

/** A file of this device, or one of the vault. */
export type ChosenFile = {
  kind: 'image' | 'video'
  link: string | undefined
  isLocal: boolean
  file?: File
  /** Its id in the vault. */
  kept?: string
}

type Stage = { words: string; percent: number }

/** The form of a new story, its file, and what happens to both. */
export function useStoryComposer(viewer: Viewer, onClose: () => void) {
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState<ChosenFile>()
  const [problem, setProblem] = useState<string>()
  const [captions, setCaptions] = useState<Captions[]>([])
  const [stage, setStage] = useState<Stage>()
  const [id] = useState(() => crypto.randomUUID())
  const control = useRef<UploadControl>(undefined)
  const form = useAppForm({
    initialValues: { caption: '', alt: '', audience: 'everyone' as StoryAudience, list: '' },
    draft: { key: 'story' },
    validate: {
      list: (list, { audience }) => (audience === 'list' && list === '' ? texts.errors.noList : null),
    },
  })
  useEffect(() => () => control.current?.cancel(), [])
  const link = chosen?.isLocal ? chosen.link : undefined
  useEffect(() => (link ? () => URL.revokeObjectURL(link) : undefined), [link])

  const take = (file: ChosenFile | undefined, found?: string) => {
    setChosen(file)
    setProblem(found)
    setCaptions([])
  }
  const choose = async (selected: File) => {
    const file = withType(selected)
    const refusal = refusalOf([file], 0)
    if (refusal) return take(undefined, refusal.message)
    const kind = mediaTypeOf(file)
    if (kind === 'video' && isTooLong(await measureVideo(file))) return take(undefined, texts.errors.tooLong)
    take({ kind, link: URL.createObjectURL(file), isLocal: true, file })
  }
  const pick = ({ file, link: address }: PickedFile) => {
    if (file.kind === 'audio') return take(undefined, texts.errors.audio)
    if (isTooLong(file.duration)) return take(undefined, texts.errors.tooLong)
    take({ kind: file.kind, link: address, isLocal: false, kept: file.id })
    if (file.alt_text && form.values.alt === '') form.setFieldValue('alt', file.alt_text)
  }

  const share = useMutation({
    mutationFn: async (values: typeof form.values) => {
      if (!chosen) return
      const { file } = chosen
      let { kept } = chosen
      const ours = new UploadControl()
      control.current = ours
      if (!kept && file) {
        setStage({ words: texts.uploading(0), percent: 0 })
        kept = await keepInVault(file, viewer.userId, {
          control: ours,
          onProgress: (percent) => setStage({ words: texts.uploading(percent), percent }),
        }).catch((error: unknown) => {
          throw error instanceof UploadError ? new Error(uploadErrorMessage(error, file.name)) : error
        })
        // A second try doesn't upload it again.
        setChosen({ ...chosen, kept })
      }
      if (!kept) return
      setStage({ words: chosen.kind === 'video' ? texts.preparing : texts.posting, percent: 100 })
      const path = await shareStory(kept, { id, ...values }, ours.signal)
      if (captions.length > 0) await saveCaptions(path, captions)
    },
    onSuccess: () => {
      toast.success(texts.done)
      void queryClient.invalidateQueries({ queryKey: storiesKey })
      void queryClient.invalidateQueries({ queryKey: vaultKey })
      leave()
    },
    onSettled: () => setStage(undefined),
  })
  useLeavingWarning(share.isPending)

  const leave = () => {
    form.forgetDraft()
    onClose()
  }
  const submit = form.handleSubmit(async (values) => {
    setProblem(undefined)
    if (!chosen) return setProblem(texts.errors.noFile)
    await share.mutateAsync(values)
  })
  return { form, chosen, problem, choose, pick, captions, setCaptions, share, stage, submit, leave }
}
