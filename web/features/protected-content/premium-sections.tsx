import { Button, Skeleton } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { postTexts } from '@ovation/contract/texts/posts'
import { premiumTexts } from '@ovation/contract/texts/protected-content'
import { IconDownload, IconPhoto, IconVideo } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { PostContent } from '../../domain/posts/post-content.tsx'
import { PostImage } from '../../domain/posts/post-image.tsx'
import { PostVideo } from '../../domain/posts/post-video.tsx'
import type { MediaPreview } from '../../domain/posts/queries.ts'
import { useDownload } from '../../domain/posts/use-download.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import type { MediaLinksState } from '../../lib/media/media-links.ts'
import classes from './premium-sections.module.css'
import type { PremiumPost } from './queries.ts'

const Lightbox = lazy(() => import('../../domain/posts/lightbox.tsx'))

export type PremiumFile = {
  post: PremiumPost
  path: string
  type: 'image' | 'video'
  preview: MediaPreview | undefined
}
type Props = { files: PremiumFile[]; media: MediaLinksState; name: string }

const titleOf = (post: PremiumPost) => post.title ?? premiumTexts.untitled(formatDate(post.created_at))

export function Videos({ files, media, name }: Props) {
  return (
    <ul className={classes.videos}>
      {files.map(({ post, path, preview }) => (
        <li key={path}>
          {media.pending ? (
            <Skeleton className={classes.video} height="auto" />
          ) : (
            <PostVideo
              className={classes.video}
              url={media.links.get(path)}
              preview={preview}
              label={postTexts.videoLabel(name)}
            />
          )}
          <Link to={paths.post(post.id)} className={classes.caption}>
            {titleOf(post)}
          </Link>
        </li>
      ))}
    </ul>
  )
}

export function Photos({ files, media, name }: Props) {
  const [open, setOpen] = useState<number>()
  const items = files.map(({ path, type, preview }) => ({ path, type, preview, url: media.links.get(path) }))
  return (
    <>
      <ul className={classes.photos}>
        {items.map(({ path, url, preview }, index) => (
          <li key={path}>
            {media.pending ? (
              <Skeleton className={classes.photo} radius={0} height="auto" />
            ) : (
              <button
                type="button"
                className={classes.photo}
                aria-label={postTexts.openImage(index + 1, items.length)}
                onClick={() => setOpen(index)}
              >
                <PostImage
                  url={url}
                  alt={postTexts.imageAlt(index + 1, items.length, name)}
                  share={1 / 3}
                  focus={preview?.focus}
                />
              </button>
            )}
          </li>
        ))}
      </ul>
      {open !== undefined && (
        <Suspense>
          <Lightbox items={items} creator={name} index={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  )
}

export function Articles({ posts }: { posts: PremiumPost[] }) {
  return posts.map((post) => (
    <article key={post.id} className={`surface ${classes.article}`}>
      <h2 className={classes.articleTitle}>
        <Link to={paths.post(post.id)}>{titleOf(post)}</Link>
      </h2>
      {post.title && <p className={classes.date}>{formatDate(post.created_at)}</p>}
      <PostContent content={post.content ?? ''} locked={false} whole={false} />
    </article>
  ))
}

export function Downloads({ files }: { files: PremiumFile[] }) {
  const download = useDownload()
  return (
    <ul className={classes.downloads}>
      {files.map(({ post, path, type }) => {
        const position = post.media_urls.indexOf(path) + 1
        const name = `${titleOf(post)} · ${premiumTexts.file(position, type)}`
        const Icon = type === 'image' ? IconPhoto : IconVideo
        return (
          <li key={path} className={`surface ${classes.file}`}>
            <Icon size={22} stroke={1.5} aria-hidden="true" />
            <span className={classes.fileName}>{name}</span>
            <Button
              variant="default"
              leftSection={<IconDownload size={17} stroke={1.6} />}
              aria-label={premiumTexts.downloadNamed(name)}
              loading={download.pending === path}
              onClick={() => download.start(path)}
            >
              {premiumTexts.download}
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
