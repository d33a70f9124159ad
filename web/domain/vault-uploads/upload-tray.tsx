import { ActionIcon, Button, CloseButton, Progress } from '@mantine/core'
import { uploadTexts } from '@ovation/contract/texts/uploads'
import { vaultUploadsTexts as texts } from '@ovation/contract/texts/vault'
import {
  IconCheck,
  IconChevronDown,
  IconChevronUp,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useIsPhone } from '../../lib/browser/use-is-phone.ts'
import { useLeavingWarning } from '../../lib/browser/use-leaving-warning.ts'
import { formatBytes } from '../../lib/format/format-number.ts'
import { vaultKey } from '../vault/vault-key.ts'
import type { QueuedFile } from './upload-queue.ts'
import classes from './upload-tray.module.css'
import { vaultUploads } from './vault-uploads.ts'

/** While many small files arrive, the vault is read again this often. */
const freshenMs = 2_000

/** The uploads to the vault, above every screen until they are done and dismissed (VAULT-03). */
export default function UploadTray() {
  const files = useSyncExternalStore(vaultUploads.listen, vaultUploads.list)
  const isPhone = useIsPhone()
  // Opened, it would cover half of a phone.
  const [open, setOpen] = useState(!isPhone)
  const counts = countStates(files)
  const left = counts.waiting + counts.checking + counts.uploading + counts.paused
  useLeavingWarning(left > 0)
  useFreshVault(counts.done)
  const ids = files.map(({ id }) => id)
  const mayPause = left > counts.paused
  const hasHope = files.some(({ state, hopeless }) => state === 'failed' && !hopeless)
  return (
    <section className={classes.tray} aria-label={texts.title} data-keep-clear>
      <header className={classes.header}>
        <div className={classes.words}>
          <h2 className={classes.title}>{left > 0 ? texts.left(left, files.length) : texts.finished}</h2>
          <p className={classes.summary}>{summaryOf(counts)}</p>
        </div>
        {left > 0 ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={mayPause ? texts.pauseAll : texts.resumeAll}
            title={mayPause ? texts.pauseAll : texts.resumeAll}
            onClick={() => (mayPause ? vaultUploads.pause(...ids) : vaultUploads.resume(...ids))}
          >
            {mayPause ? <IconPlayerPause size={20} stroke={1.6} /> : <IconPlayerPlay size={20} stroke={1.6} />}
          </ActionIcon>
        ) : null}
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-expanded={open}
          aria-label={open ? texts.collapse : texts.expand}
          title={open ? texts.collapse : texts.expand}
          onClick={() => setOpen(!open)}
        >
          {open ? <IconChevronDown size={20} stroke={1.6} /> : <IconChevronUp size={20} stroke={1.6} />}
        </ActionIcon>
        {left === 0 && <CloseButton size="lg" aria-label={texts.close} onClick={() => vaultUploads.clear()} />}
      </header>
      <Progress value={progressOf(files)} size={3} radius={0} aria-label={texts.progress} />
      <p className="visually-hidden" role="status">
        {left === 0 && `${texts.finished}. ${summaryOf(counts)}`}
      </p>
      {open && <Files files={failedFirst(files)} />}
      {open && left > 0 && (
        <footer className={classes.footer}>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            onClick={() => vaultUploads.cancel(...unfinished(files))}
          >
            {texts.cancelAll}
          </Button>
        </footer>
      )}
      {open && left === 0 && hasHope && (
        <footer className={classes.footer}>
          <Button variant="default" size="compact-sm" onClick={() => vaultUploads.retry(...ids)}>
            {texts.retryAll}
          </Button>
        </footer>
      )}
    </section>
  )
}

/** Only the rows in view have elements. */
function Files({ files }: { files: readonly QueuedFile[] }) {
  const box = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: files.length,
    getScrollElement: () => box.current,
    getItemKey: (index) => files[index]?.id ?? index,
    estimateSize: () => 60,
    overscan: 6,
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.files} ref={box} tabIndex={0} aria-label={texts.files}>
      <ul style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const file = files[index]
          return (
            file && (
              <li
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                aria-setsize={files.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <FileRow entry={file} />
              </li>
            )
          )
        })}
      </ul>
    </section>
  )
}

const FileRow = memo(function FileRow({ entry }: { entry: QueuedFile }) {
  const { id, file, state, progress, hopeless } = entry
  const { name } = file
  const isRunning = state === 'waiting' || state === 'checking' || state === 'uploading'
  return (
    <div className={classes.row} data-state={state}>
      <div className={classes.text}>
        <div className={classes.name}>{name}</div>
        <div className={classes.state}>{stateOf(entry)}</div>
        {(state === 'uploading' || state === 'paused') && (
          <Progress
            value={progress}
            size={3}
            mt={4}
            {...(state === 'paused' && { color: 'gray' })}
            aria-label={texts.progressOf(name)}
          />
        )}
      </div>
      {(state === 'done' || state === 'known') && <IconCheck size={18} stroke={2} aria-hidden="true" />}
      {isRunning && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={uploadTexts.pause(name)}
          onClick={() => vaultUploads.pause(id)}
        >
          <IconPlayerPause size={18} stroke={1.6} />
        </ActionIcon>
      )}
      {state === 'paused' && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={uploadTexts.resume(name)}
          onClick={() => vaultUploads.resume(id)}
        >
          <IconPlayerPlay size={18} stroke={1.6} />
        </ActionIcon>
      )}
      {state === 'failed' && !hopeless && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={uploadTexts.retry(name)}
          onClick={() => vaultUploads.retry(id)}
        >
          <IconRefresh size={18} stroke={1.6} />
        </ActionIcon>
      )}
      {(isRunning || state === 'paused') && (
        <CloseButton aria-label={texts.cancel(name)} onClick={() => vaultUploads.cancel(id)} />
      )}
    </div>
  )
})

function stateOf({ file, state, progress, error }: QueuedFile): string {
  const size = formatBytes(file.size)
  switch (state) {
    case 'failed':
      return error ?? texts.failed
    case 'uploading':
      return `${size} · ${texts.uploading(progress)}`
    default:
      return `${size} · ${texts.states[state]}`
  }
}

type Counts = Record<QueuedFile['state'], number>

function countStates(files: readonly QueuedFile[]): Counts {
  const counts: Counts = { waiting: 0, checking: 0, uploading: 0, paused: 0, done: 0, known: 0, failed: 0 }
  for (const { state } of files) counts[state] += 1
  return counts
}

const summaryOf = ({ done, known, failed }: Counts): string =>
  [done > 0 && texts.stored(done), known > 0 && texts.known(known), failed > 0 && texts.notStored(failed)]
    .filter((part) => part !== false)
    .join(' · ')

const isOver = ({ state }: QueuedFile): boolean => state === 'done' || state === 'known' || state === 'failed'
const unfinished = (files: readonly QueuedFile[]) => files.filter((file) => !isOver(file)).map(({ id }) => id)

const failedFirst = (files: readonly QueuedFile[]) =>
  files.toSorted((one, other) => Number(other.state === 'failed') - Number(one.state === 'failed'))

/** Percent of all bytes. */
function progressOf(files: readonly QueuedFile[]): number {
  const [all, sent] = files.reduce(
    ([all, sent], each) => [all + each.file.size, sent + each.file.size * (isOver(each) ? 1 : each.progress / 100)],
    [0, 0],
  )
  return all === 0 ? 100 : (sent / all) * 100
}

/** Shows what has arrived on the screens that list the vault. */
function useFreshVault(stored: number): void {
  const queryClient = useQueryClient()
  const shown = useRef(stored)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (stored === shown.current || timer.current) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      void queryClient.invalidateQueries({ queryKey: vaultKey })
    }, freshenMs)
    shown.current = stored
  }, [stored, queryClient])
}
