import { savedReplyTexts } from '@ovation/contract/texts/saved-replies'
import { IconPencil } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useState } from 'react'
import { type ChosenFile, fillIn, type SavedReply, savedRepliesQuery } from '../../domain/messages/saved-replies.ts'
import { mediaLinksQuery } from '../../lib/media/media-links.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { describeSaved } from './describe-saved.ts'
import classes from './saved-replies.module.css'
import { savedRepliesId } from './saved-replies-id.ts'

const texts = savedReplyTexts

const optionId = (id: string) => `saved-reply-${id}`
const manage = 'manage'

/** The composer's field keeps the focus, and passes its keys on. @returns whether the list has used the key. */
export type SavedRepliesHandle = { handleKey: (event: KeyboardEvent) => boolean }

type Props = {
  ref: Ref<SavedRepliesHandle>
  /** What was typed after the slash. */
  search: string
  /** The other user's name. */
  name: string
  /** The element id of the active option. */
  onActive: (id: string | undefined) => void
  onChoose: (reply: SavedReply, text: string, files: ChosenFile[]) => void
  onManage: () => void
}

/** The saved replies that have the typed words, above the composer (INBOX-03). Loads with the first slash. */
export default function SavedReplies({ ref, search, name, onActive, onChoose, onManage }: Props) {
  const queryClient = useQueryClient()
  const replies = useQuery(savedRepliesQuery())
  const words = search.trim().toLowerCase()
  const found = (replies.data ?? []).filter(({ content }) => fillIn(content, name).toLowerCase().includes(words))
  // With other text after the slash, it may be a message of its own: nothing is in its way.
  const options = found.length > 0 || words === '' ? [...found.map(({ id }) => id), manage] : []
  const [wanted, setWanted] = useState<string>()
  const active = options.find((id) => id === wanted) ?? options[0]
  const activeId = active && replies.data ? optionId(active) : undefined
  useEffect(() => {
    onActive(activeId)
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId, onActive])
  useEffect(() => () => onActive(undefined), [onActive])

  const choose = async (id: string) => {
    if (id === manage) return onManage()
    const reply = found.find((one) => one.id === id)
    if (!reply) return
    const paths = reply.files.map(({ path }) => path)
    // Without links, the files only have no previews.
    const links =
      paths.length > 0 && (await queryClient.fetchQuery(mediaLinksQuery(paths, 'vault')).catch(() => undefined))
    onChoose(
      reply,
      fillIn(reply.content, name),
      reply.files.map((file) => ({ file, link: links ? links.get(file.path) : undefined })),
    )
  }

  useImperativeHandle(ref, () => ({
    handleKey: (event) => {
      if (!active || !replies.data) return false
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step !== undefined) setWanted(options.at((options.indexOf(active) + step) % options.length))
      else if (event.key === 'Enter' || event.key === 'Tab') void choose(active)
      else return false
      event.preventDefault()
      return true
    },
  }))

  if (replies.isPending) return <ListSkeleton rows={2} shape="line" />
  if (replies.isError && !replies.data) return <LoadFailed title={texts.loadFailed} of={replies} />
  if (options.length === 0) return null
  return (
    <div id={savedRepliesId} role="listbox" aria-label={texts.title} className={classes.options}>
      {found.map((reply) => (
        <Option key={reply.id} id={reply.id} active={reply.id === active} onChoose={choose}>
          <span className={classes.content} dir="auto">
            {fillIn(reply.content, name)}
          </span>
          <span className={classes.about}>{describeSaved(reply)}</span>
        </Option>
      ))}
      <Option id={manage} active={active === manage} onChoose={choose}>
        <IconPencil size={16} stroke={1.7} aria-hidden="true" />
        {replies.data.length === 0 ? texts.createFirst : texts.manage}
      </Option>
    </div>
  )
}

type OptionProps = { id: string; active: boolean; onChoose: (id: string) => void; children: React.ReactNode }

function Option({ id, active, onChoose, children }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and passes its keys on
    <div
      id={optionId(id)}
      role="option"
      // Reached with the arrow keys in the field.
      tabIndex={-1}
      aria-selected={active}
      className={classes.option}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(id)}
    >
      {children}
    </div>
  )
}
