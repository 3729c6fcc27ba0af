import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  // the page is at /graphql, its files under /graphql/assets/
  base: './graphql/',
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    outDir: '../../service/arbitre/api/graphql/playground',
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 4000,
    license: { fileName: 'assets/licenses.txt' },
  },
})
