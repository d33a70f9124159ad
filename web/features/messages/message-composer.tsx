import { Button } from '@mantine/core'
import { messageFilesMax, messageMaxLength, paidMessageMinPriceCents, priceMaxCents } from '@ovation/contract/limits'
import { messageTexts } from '@ovation/contract/texts/messages'
import { IconCurrencyDollar, IconLibraryPhoto, IconMicrophone, IconPhotoPlus, IconSend2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Message } from '../../domain/messages/queries.ts'
import type { ChosenFile, SavedReply } from '../../domain/messages/saved-replies.ts'
import type { Draft } from '../../domain/messages/use-send.ts'
import { monetizationQuery } from '../../domain/payments/monetization.ts'
import { takeHandedOver } from '../../domain/vault/hand-over.ts'
import type { PickedFile } from '../../domain/vault/vault-picker.tsx'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { useLeavingWarning } from '../../lib/browser/use-leaving-warning.ts'
import { centsOf } from '../../lib/format/cents-of.ts'
import { useDraftText } from '../../lib/forms/use-draft-text.ts'
import { ComposerButton } from './composer-button.tsx'
import classes from './message-composer.module.css'
import { quoteOf } from './quote-of.ts'
import type { SavedRepliesHandle } from './saved-replies.tsx'
import { savedRepliesId } from './saved-replies-id.ts'
import { useAttachments } from './use-attachments.ts'
import { useComposerFocus } from './use-composer-focus.ts'

const AttachmentTray = lazy(() => import('./attachment-tray.tsx'))
const PriceField = lazy(() => import('./price-field.tsx'))
const ReplyBar = lazy(() => import('./reply-bar.tsx'))
const SavedReplies = lazy(() => import('./saved-replies.tsx'))
const SavedRepliesDialog = lazy(() => import('./saved-replies-dialog.tsx'))
const VoiceRecorder = lazy(() => import('./voice-recorder.tsx'))
const VaultPicker = lazy(() => import('../../domain/vault/vault-picker.tsx'))
const texts = messageTexts.compose

type Props = {
  viewer: Viewer
  otherId: string
  name: string
  onSend: (draft: Draft) => void
  onTyping?: () => void
  /** Whether sending is the thread's primary action, and not unlocking a message (LOOP-28). */
  primary: boolean
  /** The message that this one replies to. */
  quoted: Message | undefined
  onUnquote: () => void
}

/**
 * The form for a message, with files, and a price if the viewer may set one (MSG-04..MSG-06). Enter sends; Shift with Enter starts a new
 * line.
 */
export function MessageComposer({ viewer, otherId, name, onSend, onTyping, primary, quoted, onUnquote }: Props) {
  // The same key as the message field on the profile, so that its draft continues here.
  const [text, setText] = useDraftText(`message ${viewer.profileId} ${otherId}`)
  const [paid, setPaid] = useState(false)
  const [previewId, setPreviewId] = useState<string>()
  const [managing, setManaging] = useState(false)
  // The saved replies are open from a slash until Escape.
  const [slashClosed, setSlashClosed] = useState(false)
  const [activeReply, setActiveReply] = useState<string>()
  const replies = useRef<SavedRepliesHandle>(null)
  const [picking, setPicking] = useState(false)
  // Undefined until something is typed; then the creator's default price applies.
  const [typedPrice, setPrice] = useState<number | string>()
  const usualCents = useQuery({ ...monetizationQuery(viewer.profileId), enabled: paid }).data?.message_price_cents
  const price = typedPrice ?? (usualCents ?? 500) / 100
  const [priceWrong, setPriceWrong] = useState(false)
  const files = useAttachments(viewer.userId, `${viewer.profileId} ${otherId}`)
  const [recording, setRecording] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const microphone = useRef<HTMLButtonElement>(null)

  useComposerFocus({ box, microphone, quotedId: quoted?.id, recording })
  useLeavingWarning(files.list.some((file) => file.recording !== undefined))

  /** A message without words begins with the caption of its first file. */
  const begin = (picked: PickedFile[]) => {
    const caption = picked.find(({ file }) => file.caption)?.file.caption
    if (caption && !text.trim()) setText(caption)
  }
  // Files that the viewer chose in the vault for this thread (VAULT-04).
  const attach = useEffectEvent((picked: PickedFile[]) => {
    void files.addPicked(picked)
    begin(picked)
  })
  useEffect(() => {
    const picked = takeHandedOver(otherId)
    if (picked.length > 0) attach(picked)
  }, [otherId])

  const full = files.list.length >= messageFilesMax
  const uploading = files.list.some(({ progress, path }) => progress !== -1 && !path)
  const failed = files.list.some(({ progress }) => progress === -1)
  const content = text.trim()
  const ready = (content !== '' || files.list.length > 0) && !uploading && !failed

  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (!ready) return
    // A price of 0 makes the message free (D27). An empty price is an error, because it could give away a paid message.
    if (paid && price === '') return setPriceWrong(true)
    const cents = paid ? centsOf(price) || 0 : 0
    if (cents !== 0 && (cents < paidMessageMinPriceCents || cents > priceMaxCents)) return setPriceWrong(true)
    const preview = files.list.findIndex(({ id }) => id === previewId)
    onSend({
      id: crypto.randomUUID(),
      sender_id: viewer.profileId,
      recipient_id: otherId,
      content,
      ...(quoted && { quoted_id: quoted.id, quote: quoteOf(quoted) }),
      price: cents,
      ...(cents > 0 && preview >= 0 && { preview_index: preview }),
      media_urls: files.list.flatMap(({ path }) => path ?? []),
      media_types: files.list.map(({ type }) => type),
      previews: files.list.map(({ preview }) => preview),
      about: files.list.map(({ about }) => about ?? {}),
      created_at: new Date().toISOString(),
    })
    setText('')
    setPaid(false)
    setPreviewId(undefined)
    files.handOver()
    onUnquote()
    box.current?.focus()
  }

  const write = (value: string) => {
    setText(value)
    if (!value.startsWith('/')) setSlashClosed(false)
    if (value.trim() && !value.startsWith('/')) onTyping?.()
  }

  const slashOpen = text.startsWith('/') && !slashClosed && !recording
  const applyReply = (reply: SavedReply, words: string, picked: ChosenFile[]) => {
    setText(words)
    if (viewer.mayPublish && reply.price_cents !== null) {
      setPaid(true)
      setPrice(reply.price_cents / 100)
    }
    const room = messageFilesMax - files.list.length
    if (picked.length > 0 && room > 0) void files.addPicked(picked.slice(0, room))
    box.current?.focus()
  }

  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || replies.current?.handleKey(event)) return
    if (event.key === 'Escape' && slashOpen) return setSlashClosed(true)
    if (event.key === 'Escape' && quoted) return onUnquote()
    // With an input method (Japanese, Chinese), Enter confirms the composed text.
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    submit()
  }

  return (
    <>
      <form className={classes.composer} onSubmit={submit} data-keep-clear>
        {slashOpen && (
          <Suspense>
            <SavedReplies
              ref={replies}
              search={text.slice(1)}
              name={name}
              onActive={setActiveReply}
              onChoose={applyReply}
              onManage={() => setManaging(true)}
            />
          </Suspense>
        )}
        {quoted && (
          <Suspense>
            <ReplyBar
              quoted={quoted}
              viewerId={viewer.profileId}
              name={name}
              onCancel={() => {
                onUnquote()
                box.current?.focus()
              }}
            />
          </Suspense>
        )}
        {files.list.length > 0 && (
          <Suspense>
            <AttachmentTray
              files={files.list}
              otherId={otherId}
              onRemove={files.remove}
              onRetry={files.retry}
              preview={paid ? { id: previewId, choose: setPreviewId } : undefined}
            />
          </Suspense>
        )}
        {paid && (
          <Suspense>
            <PriceField
              value={price}
              wrong={priceWrong}
              onChange={(value) => {
                setPrice(value)
                setPriceWrong(false)
              }}
            />
          </Suspense>
        )}
        {recording && (
          <Suspense fallback={<div className={classes.row} />}>
            <VoiceRecorder
              onRecorded={(made) => {
                setRecording(false)
                files.addRecording(made)
              }}
              onClose={() => setRecording(false)}
            />
          </Suspense>
        )}
        {/* Only hidden, so that the field keeps its place in the text. */}
        <div
          className={classes.row}
          hidden={recording}
          data-holds={content ? 'words' : files.list.length > 0 ? 'files' : 'nothing'}
        >
          <input
            ref={chooser}
            type="file"
            accept="image/*,video/*"
            multiple
            hidden
            aria-label={texts.attach}
            onChange={({ currentTarget }) => {
              files.add([...(currentTarget.files ?? [])])
              currentTarget.value = ''
            }}
          />
          <ComposerButton label={texts.attach} icon={IconPhotoPlus} onClick={() => chooser.current?.click()} />
          {viewer.mayPublish && (
            <>
              <ComposerButton
                label={texts.fromVault}
                icon={IconLibraryPhoto}
                disabled={full}
                onClick={() => setPicking(true)}
              />
              <ComposerButton
                label={texts.paid}
                icon={IconCurrencyDollar}
                pressed={paid}
                onClick={() => {
                  setPaid(!paid)
                  setPriceWrong(false)
                }}
              />
            </>
          )}
          <textarea
            ref={box}
            className={classes.text}
            rows={1}
            name="message"
            dir="auto"
            aria-label={texts.label(name)}
            placeholder={texts.placeholder}
            maxLength={messageMaxLength}
            value={text}
            onChange={(event) => write(event.currentTarget.value)}
            onKeyDown={handleKey}
            aria-autocomplete="list"
            aria-controls={activeReply && savedRepliesId}
            aria-activedescendant={activeReply}
            enterKeyHint="send"
          />
          <ComposerButton
            ref={microphone}
            label={texts.record}
            icon={IconMicrophone}
            className={classes.microphone}
            disabled={full}
            onClick={() => setRecording(true)}
          />
          <Button
            type="submit"
            variant={primary ? 'filled' : 'default'}
            className={`compact ${classes.send}`}
            radius="xl"
            disabled={!ready}
            loading={uploading}
            leftSection={<IconSend2 size={18} stroke={1.8} />}
          >
            {texts.send}
          </Button>
        </div>
      </form>
      {/* Outside, because the dialogs have forms. */}
      {managing && (
        <Suspense>
          <SavedRepliesDialog canSell={viewer.mayPublish} onClose={() => setManaging(false)} />
        </Suspense>
      )}
      {picking && (
        <Suspense>
          <VaultPicker
            most={messageFilesMax - files.list.length}
            fanId={otherId}
            onPick={(picked) => {
              void files.addPicked(picked)
              begin(picked)
            }}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      )}
    </>
  )
}
