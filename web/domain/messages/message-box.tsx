import { Button, Textarea } from '@mantine/core'
import { messageMaxLength } from '@ovation/contract/limits'
import { paths } from '@ovation/contract/paths'
import { messageTexts as texts } from '@ovation/contract/texts/messages'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { addressOf, nameOf, type Viewer } from '../../lib/auth/viewer.ts'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import classes from './message-box.module.css'
import { personQuery } from './queries.ts'
import { useClosedNotice } from './use-closed-notice.ts'
import { useSend } from './use-send.ts'

type Props = {
  viewer: Viewer
  person: { id: string; user_id: string; username: string | null; display_name: string | null }
}

/** Sends a message from a user's profile (PROF-17, MSG-06, MSG-13). The conversation shows the result. */
export default function MessageBox({ viewer, person }: Props) {
  const name = nameOf(person)
  const address = addressOf(person)
  const known = useQuery(personQuery(address))
  const [sentOnce, setSentOnce] = useState(false)
  const form = useAppForm({
    draft: { key: `message ${viewer.profileId} ${person.id}` },
    initialValues: { content: '' },
    validateInputOnBlur: false,
  })
  const { send, outgoing, retry, discard } = useSend(person.id, (text) => {
    toast.success(text)
    setSentOnce(true)
  })
  const [last] = outgoing.slice(-1)

  if (known.data && !known.data.canMessage) return <Closed viewerId={viewer.profileId} person={person} />
  const submit = form.handleSubmit(async ({ content }) => {
    const text = content.trim()
    if (!text) return
    send({
      id: crypto.randomUUID(),
      sender_id: viewer.profileId,
      recipient_id: person.id,
      content: text,
      price: 0,
      media_urls: [],
      media_types: [],
      previews: [],
      about: [],
      created_at: new Date().toISOString(),
    })
    form.reset()
    form.forgetDraft()
  })
  return (
    <form onSubmit={submit} className={classes.box} noValidate>
      <Textarea
        aria-label={texts.compose.label(name)}
        placeholder={texts.box.placeholder(name)}
        autosize={false}
        dir="auto"
        rows={1}
        maxLength={messageMaxLength}
        className={classes.text}
        {...form.getInputProps('content')}
      />
      <Button
        type="submit"
        variant="default"
        className={classes.send}
        // If the permission couldn't be read, allow sending: the server decides.
        disabled={known.isPending || form.values.content.trim() === ''}
        leftSection={<IconSend size={17} stroke={1.6} />}
      >
        {texts.compose.send}
      </Button>
      <p className={classes.state} role="status">
        {last?.state === 'sending' && texts.state.sending}
        {last?.state === 'waiting' && texts.state.waiting}
        {last?.state === 'failed' && (
          <>
            {texts.sendFailed}: {last.reason}{' '}
            <button type="button" className="reach" onClick={() => retry(last)}>
              {texts.retry}
            </button>{' '}
            <button type="button" className="reach" onClick={() => discard(last)}>
              {texts.discard}
            </button>
          </>
        )}
        {!last && sentOnce && (
          <Link to={paths.conversation(address)} className="reach">
            {texts.box.open(name)}
          </Link>
        )}
      </p>
    </form>
  )
}

function Closed({ viewerId, person }: { viewerId: string; person: Props['person'] }) {
  const notice = useClosedNotice(viewerId, person, { onProfile: true })
  return (
    notice && (
      <p className={classes.closed}>
        {notice.title}. {notice.message}
      </p>
    )
  )
}
