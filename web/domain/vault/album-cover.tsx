import { IconFolder, IconMicrophone, IconVideo } from '@tabler/icons-react'
import { sized } from '../../lib/media/media-links.ts'
import { BlurredPreview } from '../../ui/blurred-preview.tsx'
import classes from './album-cover.module.css'
import type { VaultAlbum } from './queries.ts'

/** An album's cover as a small square. */
export function AlbumCover({ album, link }: { album: VaultAlbum; link: string | undefined }) {
  const { cover_kind: kind, cover_preview: preview } = album
  const Icon = kind === 'video' ? IconVideo : kind === 'audio' ? IconMicrophone : IconFolder
  return (
    <span className={classes.cover} aria-hidden="true">
      {preview ? <BlurredPreview preview={preview} /> : <Icon size={20} stroke={1.5} />}
      {/* A video without a poster has no picture. */}
      {link && (kind === 'image' || preview) && <img src={sized(link, 480)} alt="" loading="lazy" decoding="async" />}
    </span>
  )
}
