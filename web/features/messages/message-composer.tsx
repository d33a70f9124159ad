import { ActionIcon, Button } from '@mantine/core'
import { messageFilesMax, messageMaxLength, paidMessageMinPriceCents, priceMaxCents } from '@ovation/contract/limits'
import { messageTexts } from '@ovation/contract/texts/messages'
import { IconCurrencyDollar, IconLibraryPhoto, IconPhotoPlus, IconSend2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { Draft } from '../../domain/messages/use-send.ts'
import { monetizationQuery } from '../../domain/payments/monetization.ts'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { centsOf } from '../../lib/format/cents-of.ts'
import { useDraftText } from '../../lib/forms/use-draft-text.ts'
import { AttachmentTray } from './attachment-tray.tsx'
import classes from './message-composer.module.css'
import { useAttachments } from './use-attachments.ts'

const PriceField = lazy(() => import('./price-field.tsx'))
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
}

/**
 * The form for a message, with files, and a price if the viewer may set one (MSG-04..MSG-06). Enter sends; Shift with Enter starts a new
 * line.
 */
export function MessageComposer({ viewer, otherId, name, onSend, onTyping, primary }: Props) {
  // The same key as the message field on the profile, so that its draft continues here.
  const [text, setText] = useDraftText(`message ${viewer.profileId} ${otherId}`)
  const [paid, setPaid] = useState(false)
  const [picking, setPicking] = useState(false)
  // Undefined until something is typed; then the creator's default price applies.
  const [typedPrice, setPrice] = useState<number | string>()
  const usualCents = useQuery({ ...monetizationQuery(viewer.profileId), enabled: paid }).data?.message_price_cents
  const price = typedPrice ?? (usualCents ?? 500) / 100
  const [priceWrong, setPriceWrong] = useState(false)
  const files = useAttachments(viewer.userId)
  const chooser = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLTextAreaElement>(null)

  // Focuses the field, but not on a phone, whose keyboard would cover the thread.
  useEffect(() => {
    if (window.matchMedia('(hover: hover) and (min-width: 48em)').matches) box.current?.focus({ preventScroll: true })
  }, [])

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
    onSend({
      id: crypto.randomUUID(),
      sender_id: viewer.profileId,
      recipient_id: otherId,
      content,
      price: cents,
      media_urls: files.list.flatMap(({ path }) => path ?? []),
      media_types: files.list.map(({ type }) => type),
      previews: files.list.map(({ preview }) => preview),
      created_at: new Date().toISOString(),
    })
    setText('')
    setPaid(false)
    files.handOver()
    box.current?.focus()
  }

  const write = (value: string) => {
    setText(value)
    if (value.trim()) onTyping?.()
  }

  const sendByKey = (event: KeyboardEvent) => {
    // With an input method (Japanese, Chinese), Enter confirms the composed text.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }

  return (
    <form className={classes.composer} onSubmit={submit} data-keep-clear>
      {picking && (
        <Suspense>
          <VaultPicker
            most={messageFilesMax - files.list.length}
            onPick={(picked) => void files.addPicked(picked)}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      )}
      <AttachmentTray files={files.list} onRemove={files.remove} />
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
      <div className={classes.row}>
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
        <ActionIcon
          variant="subtle"
          color="gray"
          size={44}
          radius="xl"
          aria-label={texts.attach}
          title={texts.attach}
          onClick={() => chooser.current?.click()}
        >
          <IconPhotoPlus size={22} stroke={1.6} />
        </ActionIcon>
        {viewer.mayPublish && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={44}
            radius="xl"
            aria-label={texts.fromVault}
            title={texts.fromVault}
            disabled={files.list.length >= messageFilesMax}
            onClick={() => setPicking(true)}
          >
            <IconLibraryPhoto size={22} stroke={1.6} />
          </ActionIcon>
        )}
        {viewer.mayPublish && (
          <ActionIcon
            variant={paid ? 'light' : 'subtle'}
            color={paid ? undefined : 'gray'}
            size={44}
            radius="xl"
            aria-label={texts.paid}
            aria-pressed={paid}
            title={texts.paid}
            onClick={() => {
              setPaid(!paid)
              setPriceWrong(false)
            }}
          >
            <IconCurrencyDollar size={22} stroke={1.6} />
          </ActionIcon>
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
          onKeyDown={sendByKey}
          enterKeyHint="send"
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
  )
}
