import { IconCheck, IconPhoto, IconPlayerPlayFilled, IconVideo } from '@tabler/icons-react'
import { useState } from 'react'
import { formatLength } from '../../lib/format/format-length.ts'
import { sized } from '../../lib/media/media-links.ts'
import { BlurredPreview } from '../../ui/blurred-preview.tsx'
import { fileNameOf } from './file-name.ts'
import type { VaultFile } from './queries.ts'
import classes from './vault-grid.module.css'

type Props = {
  file: VaultFile
  link: string | undefined
  /** Undefined where tiles open a file instead of being chosen. */
  chosen?: boolean | undefined
  disabled?: boolean
  onClick: () => void
}

/** A file in the grid: a square of its picture or poster. */
export function VaultTile({ file, link, chosen, disabled = false, onClick }: Props) {
  const [broken, setBroken] = useState<string>()
  const { kind, preview, duration } = file
  const Icon = kind === 'video' ? IconVideo : IconPhoto
  return (
    <button
      type="button"
      className={classes.tile}
      aria-label={fileNameOf(file)}
      aria-pressed={chosen}
      disabled={disabled}
      onClick={onClick}
    >
      {preview ? (
        <BlurredPreview preview={preview} />
      ) : (
        <span className={classes.missing}>
          <Icon size={28} stroke={1.4} aria-hidden="true" />
        </span>
      )}
      {/* A video without a poster has no picture. */}
      {link && broken !== link && (kind === 'image' || preview) && (
        <img src={sized(link, 480)} alt="" loading="lazy" decoding="async" onError={() => setBroken(link)} />
      )}
      {kind === 'video' && (
        <span className={classes.length}>
          <IconPlayerPlayFilled size={11} aria-hidden="true" />
          {duration !== null && formatLength(duration)}
        </span>
      )}
      {chosen !== undefined && (
        <span className={classes.check} aria-hidden="true">
          <IconCheck size={15} stroke={3} />
        </span>
      )}
    </button>
  )
}
