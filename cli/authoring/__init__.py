"""What ``gpudoctor kb`` does for authors: case files, gaps, citations, skeletons of entries."""
