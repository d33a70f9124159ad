import { Button } from '@mantine/core'
import { messageFilesMax, postFilesMax } from '@ovation/contract/limits'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { IconFolderPlus, IconFolderX, IconPhotoStar, IconSend, IconSquarePlus, IconTrash } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { VaultAlbum } from '../../domain/vault/queries.ts'
import { toast } from '../../ui/toast.ts'
import classes from './selection-bar.module.css'

const { selection: texts, albums } = vaultTexts

type Action = { label: string; icon: ComponentType<{ size: number; stroke: number }>; act: () => void }

type Props = {
  count: number
  /** The album in view. */
  album: VaultAlbum | undefined
  /** True while an action runs. */
  pending: boolean
  onSelectAll: () => void
  onAdd: () => void
  onPost: () => void
  onSend: () => void
  onTakeOut: () => void
  onCover: () => void
  onRemove: () => void
  onStop: () => void
}

/** What can be done with the selected files (VAULT-04). It stays in view. */
export function SelectionBar({ count, album, pending, onSelectAll, onStop, ...on }: Props) {
  /** Not disabled for too many, which would say nothing. */
  const upTo = (most: number, action: () => void) => () => (count > most ? toast.info(texts.tooMany(most)) : action())
  const actions: Action[] = [
    { label: texts.add, icon: IconFolderPlus, act: on.onAdd },
    { label: texts.post, icon: IconSquarePlus, act: upTo(postFilesMax, on.onPost) },
    { label: texts.send, icon: IconSend, act: upTo(messageFilesMax, on.onSend) },
    ...(album ? [{ label: albums.takeOut.action, icon: IconFolderX, act: on.onTakeOut }] : []),
    ...(album && count === 1 ? [{ label: albums.cover.action, icon: IconPhotoStar, act: on.onCover }] : []),
    { label: texts.remove, icon: IconTrash, act: on.onRemove },
  ]
  return (
    <section className={classes.bar} aria-label={texts.label} data-keep-clear>
      <span className={classes.count} role="status">
        {texts.count(count)}
      </span>
      <div className={classes.actions}>
        {actions.map(({ label, icon: Icon, act }) => (
          <Button
            key={label}
            variant="default"
            className={classes.action ?? ''}
            leftSection={<Icon size={18} stroke={1.6} />}
            disabled={count === 0 || pending}
            onClick={act}
          >
            {label}
          </Button>
        ))}
      </div>
      <div className={classes.ends}>
        <Button variant="subtle" px="xs" onClick={onSelectAll} disabled={pending}>
          {texts.all}
        </Button>
        <Button variant="subtle" px="xs" onClick={onStop}>
          {texts.stop}
        </Button>
      </div>
    </section>
  )
}
