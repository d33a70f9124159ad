import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { creator } from '../../testing/dashboard.ts'
import { network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signFiles } from '../../testing/sign-files.ts'

describe('the lists of posts', () => {
  it('invite a creator without posts to create one [DASH-03]', async () => {
    creator({ posts: [] })
    renderRoute('/dashboard?tab=content')
    const content = within(await screen.findByRole('tabpanel', { name: 'Content' }))
    await userEvent.click(await content.findByRole('button', { name: 'Create Post' }))
    expect(await screen.findByRole('dialog')).toBeVisible()
  })

  it('let a post be pinned, edited and deleted where it is listed [POST-08, POST-52, POST-53]', async () => {
    creator()
    signFiles()
    const sent: unknown[] = []
    network.use(
      http.patch('*/rest/v1/posts', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json([{ id: 'post-1' }])
      }),
      http.delete('*/rest/v1/posts', ({ request }) => {
        sent.push(new URL(request.url).search)
        return new HttpResponse(null, { status: 204 })
      }),
    )
    renderRoute('/dashboard?tab=content')
    const choose = async (action: string) => {
      await userEvent.click(await screen.findByRole('button', { name: 'Actions for Rehearsal' }))
      await userEvent.click(await screen.findByRole('menuitem', { name: action }))
    }
    await choose('Pin to profile')
    await waitFor(() => expect(sent).toEqual([{ is_pinned: true }]))
    await choose('Edit')
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit post' }))
    await userEvent.clear(dialog.getByLabelText('Title'))
    await userEvent.type(dialog.getByLabelText('Title'), 'Dress rehearsal')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent).toContainEqual({ title: 'Dress rehearsal', content: 'From the wings' }))
    await choose('Delete')
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(sent).toContainEqual('?id=eq.post-1'))
  })

  it('show the picture of each post, with one request for links', async () => {
    const [first, second, words] = ['u/1.jpg', 'u/2.jpg', undefined].map((file, index) => ({
      id: `post-${index}`,
      title: `Post ${index}`,
      content: '',
      post_type: 'free',
      media_count: file ? 1 : 0,
      media_urls: file ? [file] : [],
      media_types: file ? ['image'] : [],
      media_previews: [],
      cover_path: null,
      likes_count: 0,
      comments_count: 0,
      is_pinned: false,
      created_at: '2024-05-01T10:00:00Z',
    }))
    creator({ posts: [first, second, words] as never })
    const asked = signFiles()
    renderRoute('/dashboard?tab=content')
    const row = async (name: string) => (await screen.findByRole('link', { name })).closest('li') as HTMLElement
    const sourceOf = async (name: string) => (await row(name)).querySelector('img')?.getAttribute('src') ?? null
    await waitFor(async () => expect(await sourceOf('Post 0')).toContain('u/1.jpg'))
    expect(await sourceOf('Post 1')).toContain('u/2.jpg')
    expect(await sourceOf('Post 2')).toBeNull()
    expect(asked).toEqual([['u/1.jpg', 'u/2.jpg']])
  })

  it('let the focus point of a published photo be set [LOOP-11]', async () => {
    creator()
    signFiles()
    const given: unknown[] = []
    network.use(
      http.patch('*/rest/v1/posts', () => new HttpResponse(null, { status: 204 })),
      http.post('*/rest/v1/rpc/set_picture_focus', async ({ request }) => {
        given.push(await request.json())
        return new HttpResponse(null, { status: 204 })
      }),
    )
    renderRoute('/dashboard?tab=content')
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for Rehearsal' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit post' }))
    await userEvent.click(await dialog.findByRole('button', { name: 'Set the focus point for the photo' }))
    const point = within(await screen.findByRole('dialog', { name: 'Focus point' }))
    fireEvent.keyDown(point.getByRole('slider', { name: 'Distance from the top' }), { key: 'End' })
    await userEvent.click(point.getByRole('button', { name: 'Set point' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(given).toEqual([{ picture: 'u/1.jpg', x: 0.5, y: 1 }]))
  })

  it('let the captions of a post’s video be changed with its words [POST-16]', async () => {
    creator()
    signFiles()
    const given: unknown[] = []
    network.use(
      http.patch('*/rest/v1/posts', () => new HttpResponse(null, { status: 204 })),
      http.post('*/rest/v1/rpc/set_video_captions', async ({ request }) => {
        given.push(await request.json())
        return new HttpResponse(null, { status: 204 })
      }),
    )
    renderRoute('/dashboard?tab=content')
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for Rehearsal' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit post' }))
    const captions = within(dialog.getByRole('group', { name: 'Captions for the video' }))
    expect(captions.getByText('English')).toBeVisible()
    await userEvent.click(captions.getByRole('button', { name: 'Remove German captions' }))
    const content = 'WEBVTT\n\n00:01.000 --> 00:04.000\nBonjour.\n'
    await userEvent.upload(
      captions.getByLabelText(/WebVTT file/),
      new File([content], 'a.fr.vtt', { type: 'text/vtt' }),
    )
    expect(await captions.findByRole('combobox', { name: 'Caption language' })).toHaveValue('fr')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(given).toEqual([
        { video: 'u/2.mp4', language: 'de', content: null },
        { video: 'u/2.mp4', language: 'fr', content },
      ]),
    )
  })

  const scheduled = {
    id: 'scheduled-1',
    title: 'Opening night',
    content: 'Soon',
    post_type: 'free',
    media_urls: [],
    media_types: [],
    poll: { title: 'Coming?' },
    publish_at: new Date(Date.now() + 86_400_000).toISOString(),
    failure: null,
  }

  const failed = { ...scheduled, id: 'scheduled-2', title: 'Matinee', poll: null, failure: 'A file is missing' }

  it('list the posts that wait for their time, and what became of those that could not go out [GEN-41]', async () => {
    creator({ scheduled_posts: [scheduled, failed] })
    renderRoute('/dashboard?tab=content')
    const list = within(await screen.findByRole('region', { name: 'Scheduled' }))
    const [first, second] = list.getAllByRole('listitem')
    expect(first).toHaveTextContent(/Opening night\s*Publishes .+PollFree/)
    expect(second).toHaveTextContent('Not published: A file is missing')
  })

  it('publish, change and delete a post that waits [GEN-41]', async () => {
    creator({ scheduled_posts: [scheduled] })
    const sent: unknown[] = []
    network.use(
      http.post('*/rest/v1/rpc/publish_scheduled_post', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json(scheduled.id)
      }),
      http.patch('*/rest/v1/scheduled_posts', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json([{ id: scheduled.id }])
      }),
      http.delete('*/rest/v1/scheduled_posts', ({ request }) => {
        sent.push(new URL(request.url).search)
        return new HttpResponse(null, { status: 204 })
      }),
    )
    renderRoute('/dashboard?tab=content')
    const choose = async (action: string) => {
      await userEvent.click(await screen.findByRole('button', { name: 'More options for Opening night' }))
      await userEvent.click(await screen.findByRole('menuitem', { name: action }))
    }
    await choose('Publish now')
    expect(await screen.findByText('Post published')).toBeVisible()

    await choose('Edit')
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit scheduled post' }))
    await userEvent.clear(dialog.getByLabelText('Content'))
    await userEvent.type(dialog.getByLabelText('Content'), 'Sooner')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Scheduled post saved')).toBeVisible()

    await choose('Delete')
    await userEvent.click(
      within(await screen.findByRole('dialog', { name: 'Delete this scheduled post?' })).getByRole('button', {
        name: 'Delete',
      }),
    )
    expect(await screen.findByText('Scheduled post deleted')).toBeVisible()
    expect(sent).toMatchObject([
      { scheduled_id: scheduled.id },
      { title: 'Opening night', content: 'Sooner' },
      '?id=eq.scheduled-1',
    ])
  })

  it('publish a post that waits once, and show that it is under way [GEN-41]', async () => {
    creator({ scheduled_posts: [scheduled] })
    let publications = 0
    let finish: (response: Response) => void = () => undefined
    network.use(
      http.post('*/rest/v1/rpc/publish_scheduled_post', () => {
        publications += 1
        return new Promise<Response>((resolve) => {
          finish = resolve
        })
      }),
    )
    renderRoute('/dashboard?tab=content')
    const more = await screen.findByRole('button', { name: 'More options for Opening night' })
    await userEvent.click(more)
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Publish now' }))
    const busy = await screen.findByRole('button', { name: 'More options for Opening night', busy: true })
    expect(busy).toHaveFocus()
    await userEvent.click(busy)
    expect(screen.queryByRole('menuitem', { name: 'Publish now' })).not.toBeInTheDocument()
    await waitFor(() => expect(publications).toBe(1))
    finish(HttpResponse.json({ message: 'A file is missing' }, { status: 409 }))
    expect(await screen.findByText('A file is missing')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'More options for Opening night', busy: false })).toHaveFocus()
  })

  it('let captions be added to a video that waits with its post [POST-16, GEN-41]', async () => {
    creator({ scheduled_posts: [{ ...scheduled, media_urls: ['u/3.mp4'], media_types: ['video'] }] })
    const sent: unknown[] = []
    const keep = async ({ request }: { request: Request }) => {
      sent.push(await request.json())
      return HttpResponse.json([{ id: scheduled.id }])
    }
    network.use(http.patch('*/rest/v1/scheduled_posts', keep), http.post('*/rest/v1/rpc/set_video_captions', keep))
    renderRoute('/dashboard?tab=content')
    await userEvent.click(await screen.findByRole('button', { name: 'More options for Opening night' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit scheduled post' }))
    const captions = within(dialog.getByRole('group', { name: 'Captions for the video' }))
    const content = 'WEBVTT\n\n00:01.000 --> 00:04.000\nBonjour.\n'
    await userEvent.upload(captions.getByLabelText(/WebVTT file/), new File([content], 'a.fr.vtt'))
    expect(await captions.findByRole('combobox', { name: 'Caption language' })).toHaveValue('fr')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Scheduled post saved')).toBeVisible()
    expect(sent).toMatchObject([{ video: 'u/3.mp4', language: 'fr', content }, { title: 'Opening night' }])
  })
})
