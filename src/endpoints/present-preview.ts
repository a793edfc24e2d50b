import path from 'node:path'
import { previewContentType } from '../core/media.ts'
import type { OutputFile } from './define-endpoint.ts'

/** Where a run puts its preview. */
export function previewPath(workDir: string): string {
  return path.join(workDir, 'preview.svg')
}

/** The picture that is shown beside a result. */
export function presentPreview(workDir: string): OutputFile {
  const filePath = previewPath(workDir)
  return {
    path: filePath,
    fileName: path.basename(filePath),
    contentType: previewContentType,
    role: 'preview',
    durationSeconds: 0,
    width: null,
    height: null,
  }
}
