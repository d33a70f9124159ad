import TipDialog from '../domain/payments/tip-dialog.tsx'
import EditPost from '../domain/posts/edit-post.tsx'
import NoteDialog from '../domain/posts/note-dialog.tsx'
import ReportDialog from '../domain/reports/report-dialog.tsx'
import EditScheduled from '../domain/scheduling/edit-scheduled.tsx'
import ReviewDialog from '../features/admin/review-dialog.tsx'
import { type Form, holdForms, soon } from '../testing/forms.tsx'
import { buildPost } from '../testing/rows.ts'
import { ForViewer } from '../ui/for-viewer.tsx'

const at = '2024-05-04T10:00:00Z'
const post = {
  id: 'post-1',
  title: null,
  content: '',
  post_type: 'free' as const,
  media_count: 0,
  media_urls: [],
  media_types: [],
  media_previews: [],
  cover_path: null,
  likes_count: 0,
  comments_count: 0,
  is_pinned: false,
  created_at: at,
}
const close = () => undefined

/** The forms around posts: posts, tips, reports, and moderation. */
const forms: Form[] = [
  {
    name: 'the words of a post',
    part: <EditPost post={post} onClose={close} />,
    typed: { Title: 'Harbour', Content: 'Before the boats leave' },
    wrong: { typed: { Content: ' ' }, first: 'Content', says: 'Please add some content or upload files' },
    sends: ['patch', '/rest/v1/posts'],
    submit: 'Save',
  },
  {
    name: 'a scheduled post',
    part: (
      <EditScheduled post={{ ...post, media_types: [], poll: null, publish_at: at, failure: null }} onClose={close} />
    ),
    typed: { Title: 'Harbour', Content: 'Before the boats leave', 'Publish on': soon() },
    wrong: {
      typed: { Content: 'Words', 'Publish on': '2020-01-01T10:00' },
      first: 'Publish on',
      says: 'Choose a time in the future',
    },
    sends: ['patch', '/rest/v1/scheduled_posts'],
    submit: 'Save',
  },
  {
    name: 'a tip [PROF-21, D28]',
    part: <TipDialog target={{ creatorId: 'noor', name: 'Noor Haddad' }} onClose={close} />,
    typed: { 'Amount in USD': '$7.50' },
    wrong: { typed: { 'Amount in USD': '$0.99' }, first: 'Amount in USD', says: 'Enter an amount from $1.00' },
    sends: ['post', '/functions/v1/create-payment-checkout'],
    submit: 'Continue',
  },
  {
    name: 'a report [D43, SUPP-20]',
    part: (
      <ForViewer skeleton={null}>
        {() => <ReportDialog target={{ type: 'post', id: 'post-1' }} onClose={close} />}
      </ForViewer>
    ),
    typed: { Details: 'It shows my house' },
    sends: ['post', '/rest/v1/reports'],
    submit: 'Send report',
  },
  {
    name: 'the rejection of an application [ADM-08]',
    part: <ReviewDialog application={{ id: 'application-1', full_name: 'Ada' }} decision="rejected" onClose={close} />,
    typed: { Reason: 'The back of the card is blurred' },
    wrong: { typed: { Reason: ' ' }, first: 'Reason', says: 'Enter a reason' },
    sends: ['patch', '/rest/v1/creator_applications'],
    submit: 'Reject',
  },
  {
    name: 'a note on a post [POST-13, D28]',
    part: <NoteDialog post={buildPost({ id: 'post-1' })} onClose={close} />,
    typed: { Note: 'Please say where it was taken' },
    sends: ['patch', '/rest/v1/posts'],
    submit: 'Save',
  },
]

holdForms(forms)
